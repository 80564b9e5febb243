#!/bin/sh
# Creates deploy/secrets for compose.yaml: a new PostgreSQL password, and empty files for secrets that you fill in.
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
# The container's user must be able to read the files. On this machine, the folder's mode keeps other users out.
chmod 644 secrets/*
echo "Now write the distributor's address into deploy/secrets/distributor-url,"
echo "and Google's key into deploy/secrets/google-maps-api-key (any word where ADDRESS_CHECK=offline)."
