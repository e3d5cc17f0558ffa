import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { emailAddress } from '@benchwatch/contract/primitives'
import { OperatorError } from '../db/connect.ts'
import type { OpenedDatabase } from '../db/open.ts'
import { inTransaction } from '../db/transaction.ts'
import { flawsOf } from '../features/auth/credentials/new-password.ts'
import { temporaryPassword } from '../features/auth/credentials/one-time-code.ts'
import { hashPassword } from '../features/auth/credentials/password-hash.ts'
import { insertUser } from '../features/users/users.store.ts'
import { systemClock } from '../platform/clock.ts'
import { runCommand } from './command.ts'

const USAGE = `Usage: npm run admin:create -- <e-mail> [--name <name>] [--password-stdin]
Creates an administrator who sees all customers. A temporary password is printed once; with --password-stdin it is read
from standard input instead.`

/** `npm run admin:create -- <e-mail>`: creates the first administrator of an empty installation, or a further one. */
let input: AdminInput
await runCommand(create, () => {
  input = readArguments()
})

interface AdminInput {
  email: string
  name: string | null
  passwordFromInput: boolean
}

async function create({ database }: OpenedDatabase): Promise<number> {
  const { email, name, passwordFromInput } = input
  const given = passwordFromInput ? (await text(process.stdin)).replace(/\r?\n$/, '') : null
  if (given !== null) {
    const flaws = await flawsOf(given, { name, login: email })
    if (flaws.length > 0)
      throw new OperatorError(`The password does not conform to policy. It needs: ${flaws.join(', ')}.`)
  }
  const password = given ?? temporaryPassword()
  const passwordHash = await hashPassword(password)
  const user = { login: email, name, email, msisdn: null, role: 'admin', scope: 'all', passwordHash } as const
  const id = await inTransaction(database.db, (trx) =>
    insertUser(trx, { user, actor: { type: 'command', name: 'admin:create' }, at: systemClock.now() }),
  )
  if (id === undefined) {
    throw new OperatorError(`There is already a user ${email}. Choose another e-mail address.`)
  }
  process.stdout.write(`The administrator ${email} was created.\n`)
  if (given === null) process.stdout.write(`Password: ${password}\nIt is shown only once; keep it safe.\n`)
  return 0
}

function readArguments(): AdminInput {
  const { values, positionals } = parse()
  const [email, ...more] = positionals
  if (email === undefined || more.length > 0) throw new OperatorError(USAGE)
  if (!emailAddress.safeParse(email).success) {
    throw new OperatorError(`${email} is not an e-mail address; it should look like name@company.example.\n${USAGE}`)
  }
  return {
    email: email.toLowerCase(),
    name: values.name?.trim() || null,
    passwordFromInput: values['password-stdin'] ?? false,
  }
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { name: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
    })
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${USAGE}`)
  }
}
