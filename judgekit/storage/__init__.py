"""What a project keeps on disk: configuration, certificates, evidence, the ledger of looks."""
