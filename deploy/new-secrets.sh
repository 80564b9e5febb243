#!/bin/sh
# Makes deploy/secrets for compose.yaml: a new password for PostgreSQL, and room for what only you know.
set -eu
cd "$(dirname "$0")"
umask 077
if [ -e secrets ]; then
  echo "deploy/secrets already exists and was left unchanged." >&2
  exit 1
fi
mkdir secrets
password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
printf %s "$password" >secrets/database-password
printf %s "postgres://campus:$password@database:5432/campus" >secrets/database-url
: >secrets/distributor-url
: >secrets/google-maps-api-key
# A container's user is another one than you, and has to read them; on this machine the folder keeps everybody else out.
chmod 644 secrets/*
echo "Now write the distributor's address into deploy/secrets/distributor-url,"
echo "and Google's key into deploy/secrets/google-maps-api-key (any word where ADDRESS_CHECK=offline)."
