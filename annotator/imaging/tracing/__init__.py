"""The posterior corneal and the anterior iris surface of an AS-OCT picture, followed by their edges."""
