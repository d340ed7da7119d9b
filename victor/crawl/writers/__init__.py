"""Writers: documents to files that corpus tools read, one module per form."""
