-- Creates the servers' role and database for compose.cluster.yml. The image runs this file once, on an empty volume, as the superuser `postgres`.
\getenv password POSTGRES_PASSWORD
-- No superuser: a superuser's SQL can read files and run programs. It sees the size of the WAL and the connected standbys.
create role firmquote login password :'password' in role pg_monitor;
create database firmquote owner firmquote encoding 'UTF8' template template0;
-- The superuser can log in only inside the container: docker compose -f compose.cluster.yml exec postgres psql --username=postgres
alter role postgres password null;
