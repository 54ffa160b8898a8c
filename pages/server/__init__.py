"""What stands before the pages: how the server is started, who may ask it, and who signs in.

launch           the command feature-stability
app              what the server is made of: its middleware, its host name, and what it does when it starts
access           who may ask, by host, origin and session, and what every answer forbids the browser to do
sessions         the browsers that may open the app, and the addresses that open once
sign_in          who is at a session; and the address that people come back to when they have signed in
"""
