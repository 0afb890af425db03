"""What workspaces are made from: the user's own files and the demo's public data, recognised by content."""
