#!/bin/sh
# Makes the database, the role that owns it, and the ordinary role of the service (docs/operations.md, "Two roles"). The image of PostgreSQL
# runs it once, as the superuser, before anybody can connect over the network.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set owner_password="$DATABASE_OWNER_PASSWORD" --set password="$DATABASE_PASSWORD" <<'SQL'
CREATE ROLE inventory_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE inventory LOGIN PASSWORD :'password';
CREATE DATABASE inventory OWNER inventory_owner;
REVOKE CONNECT, TEMPORARY ON DATABASE inventory FROM PUBLIC;
GRANT CONNECT, TEMPORARY ON DATABASE inventory TO inventory;
SQL
