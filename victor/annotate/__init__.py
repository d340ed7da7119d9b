"""Annotation of pages in the browser: store, server, and exchange with other tools."""
