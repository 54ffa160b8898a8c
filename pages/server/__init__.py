"""The server in front of the pages: its start, access, and sign-in.

launch           the command feature-stability
app              the parts of the server: middleware, host name, and its actions at the start
access           who may send requests, by host, origin and session, and the limits of every answer in the browser
sessions         the browsers that may open the app, and the addresses that open once
sign_in          the person of a session, and the address to return to after sign-in
"""
