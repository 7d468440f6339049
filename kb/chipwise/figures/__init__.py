"""What fills a key, and how two figures relate: below the answers, the tables and the audit, which all ask here."""
