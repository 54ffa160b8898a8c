"""What only the app needs: the work of a person, the bundled studies, the process of a study."""
