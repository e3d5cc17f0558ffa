import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { SignInStep } from '@benchwatch/contract/auth'
import { type Command, CommandError, UsageError } from './command.ts'

/** Prints only the token to standard output, so that a script can keep it. */
export const signIn: Command = {
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
