#!/usr/bin/env node
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { SignInStep } from '@benchwatch/contract/users/auth'
import { ApiError, type Client, createClient } from '../client.ts'
import { type Command, CommandError, UsageError } from './command.ts'
import { claimEvents, closeEvents, exportEvents, listEvents, watchEvents } from './events.ts'
import { applyFolder } from './registry.ts'

/**
 * `npx benchwatch <command>`. Ends with 0 after success, 1 after a failure and 2 after arguments that cannot be used.
 * Results go to standard output, everything else to standard error.
 */

/** Prints only the token to standard output, so that a script can keep it. */
const signIn: Command = {
  usage: '<e-mail>',
  about:
    'Prints an access token. Asks for the password, and for a code if there is one; otherwise reads them from standard input, a line each.',
  options: {},
  async run({ client, positionals, write, note }) {
    const [userId, ...more] = positionals
    if (userId === undefined || more.length > 0) throw new UsageError('Name one e-mail address.')
    const answers = openAnswers()
    try {
      const password = await answers.next('Password: ')
      let step: SignInStep = await client.call('signIn', { body: { userId, password } })
      while (!('accessToken' in step)) {
        if (step.challenge === 'NEW_PASSWORD_REQUIRED') {
          throw new CommandError('The account needs a new password. Sign in to the console once.')
        }
        const code = await answers.next(step.delivery ? `Code sent to ${step.delivery}: ` : 'Code: ')
        step = await client.call('answerMfa', { body: { challengeToken: step.challengeToken, code } })
      }
      await write(`${step.accessToken}\n`)
      note(`This token of ${step.user.mail} is valid for ${Math.round(step.expiresIn / 60)} minutes.`)
      return 0
    } finally {
      answers.close()
    }
  },
}

const commands: Readonly<Record<string, Command>> = {
  'events list': listEvents,
  'events claim': claimEvents,
  'events close': closeEvents,
  'events export': exportEvents,
  'events watch': watchEvents,
  'registry apply': applyFolder,
  'sign-in': signIn,
}

const lines = Object.entries(commands).map(
  ([name, { usage, about }]) => `  benchwatch ${name} ${usage}\n      ${about}`,
)
const HELP = `Usage:
${lines.join('\n')}

Environment:
  BENCHWATCH_URL         address of the server (default http://localhost:8080)
  BENCHWATCH_TOKEN       access token of a user, or an API token for the registry
  BENCHWATCH_TOKEN_FILE  file with the token, instead of BENCHWATCH_TOKEN
`

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader, such as `head`, has seen enough.
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const { sentence, code } = explain(error)
  process.stderr.write(`${sentence}\n`)
  process.exitCode = code
}

async function run(given: readonly string[]): Promise<number> {
  if (given.length === 0 || given.includes('--help') || given.includes('-h') || given[0] === 'help') {
    await write(HELP)
    return given.length === 0 ? 2 : 0
  }
  const name = Object.keys(commands).find((words) => words.split(' ').every((word, index) => word === given[index]))
  const command = commands[name ?? '']
  if (name === undefined || command === undefined) {
    throw new UsageError(`There is no command "${given.slice(0, 2).join(' ')}".\n${HELP}`)
  }
  const { values, positionals } = parse(command, { name, args: given.slice(name.split(' ').length) })
  const client = connect()
  return command.run({ client, values, positionals, write, note, placeOf })
}

function parse({ options, usage }: Command, { name, args }: { name: string; args: readonly string[] }) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nUsage: benchwatch ${name} ${usage}`)
  }
}

function connect(): Client {
  const {
    BENCHWATCH_URL: url = 'http://localhost:8080',
    BENCHWATCH_TOKEN: inline,
    BENCHWATCH_TOKEN_FILE: file,
  } = process.env
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new UsageError(`BENCHWATCH_URL is "${url}". Set it to an address such as https://benchwatch.example.`)
  }
  if (inline && file) throw new UsageError('Set either BENCHWATCH_TOKEN or BENCHWATCH_TOKEN_FILE, not both.')
  const token = file ? readToken(file) : inline
  return createClient({ url, ...(token && { token }) })
}

function readToken(file: string): string {
  try {
    return readFileSync(placeOf(file), 'utf8').trim()
  } catch (error) {
    throw new UsageError(`BENCHWATCH_TOKEN_FILE cannot be read: ${(error as Error).message}.`)
  }
}

/** npm runs commands in the root of the repository and says where they were typed. */
function placeOf(path: string): string {
  return resolve(process.env.INIT_CWD || '.', path)
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

function note(line: string): void {
  process.stderr.write(`${line}\n`)
}

function explain(error: unknown): { sentence: string; code: number } {
  if (error instanceof UsageError) return { sentence: error.message, code: 2 }
  if (error instanceof CommandError) return { sentence: error.message, code: 1 }
  if (!(error instanceof ApiError)) return { sentence: String(error instanceof Error ? error.stack : error), code: 1 }
  if (error.status === 0) {
    return { sentence: `${error.message} The address is that of BENCHWATCH_URL.`, code: 1 }
  }
  if (error.code === 'session-expired') {
    return {
      sentence:
        'The server does not accept the token. Set BENCHWATCH_TOKEN to a new one: `benchwatch sign-in <e-mail>` prints one, and administrators make API tokens for the registry.',
      code: 1,
    }
  }
  const places = error.problem?.errors?.map(({ path, message }) => `\n  ${path} ${message}`) ?? []
  return { sentence: `${error.message}${places.join('')}`, code: 1 }
}

interface Answers {
  next: (question: string) => Promise<string>
  close: () => void
}

/** Asks in a terminal without showing what is typed; otherwise takes one line after the other. */
function openAnswers(): Answers {
  const isTerminal = process.stdin.isTTY
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader: Interface = createInterface({ input: process.stdin, output: hidden, terminal: isTerminal })
  const lines = reader[Symbol.asyncIterator]()
  return {
    async next(question) {
      if (isTerminal) process.stderr.write(question)
      const { value, done } = await lines.next()
      if (isTerminal) process.stderr.write('\n')
      if (done) throw new CommandError('Standard input has ended before the sign-in was complete.')
      return value
    },
    close: () => reader.close(),
  }
}
