import { startEmbeddedPostgres } from '../../db/embedded/embedded-postgres.ts'

/**
 * Runs an embedded server, for tests that kill it or run it as another user. The argument is the input of
 * startEmbeddedPostgres as JSON; the process answers with one line of JSON and stops when its standard input closes.
 */
const input = JSON.parse(process.argv[2] ?? '{}') as Parameters<typeof startEmbeddedPostgres>[0]

function answer(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

try {
  const server = await startEmbeddedPostgres(input)
  answer({ postgresPid: server.pid, connection: server.connection })
  process.stdin.resume().once('end', () => void server.stop())
} catch (error) {
  answer({ error: (error as Error).message })
}
