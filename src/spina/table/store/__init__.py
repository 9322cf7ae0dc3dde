"""The database: schema, migrations, the journal of every table."""
