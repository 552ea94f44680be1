import type { SharedPostgres } from '@firmquote/cluster/sharePostgres'

/** A database with a clock that tests can step. */
export type SteppedDatabase = {
  url: string
  /** Sets how far the database's clock is ahead of the real time, for all sessions. */
  set(milliseconds: number): Promise<void>
  query(text: string): Promise<Record<string, unknown>[]>
}

/** Creates a database whose `clock_timestamp()` can be set. Sessions find this function first. */
export async function createSteppedDatabase(postgres: SharedPostgres): Promise<SteppedDatabase> {
  const url = await postgres.createDatabase()
  const query = (text: string) => postgres.query(text, url)
  await query(`alter database ${new URL(url).pathname.slice(1)} set search_path = public, pg_catalog`)
  await query(`create table clock_steps (milliseconds double precision not null);
    insert into clock_steps values (0);
    create function public.clock_timestamp() returns timestamptz language sql volatile as $$
      select pg_catalog.clock_timestamp() + milliseconds * interval '1 millisecond' from public.clock_steps
    $$`)
  return {
    url,
    query,
    async set(milliseconds) {
      await query(`update clock_steps set milliseconds = ${milliseconds}`)
    },
  }
}
