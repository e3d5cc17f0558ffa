import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A user in the emulator's pool. */
export interface CognitoAccount {
  email: string
  password: string
  /** True if the password is temporary. */
  mustChange?: boolean
  phone?: string
  /** Secret of an authenticator app, base32. */
  totpSecret?: string
}

export interface CognitoEmulator {
  endpoint: string
  region: string
  userPoolId: string
  clientId: string
  stop(): Promise<void>
}

/** The code in every SMS and mail of the emulator. */
export const COGNITO_CODE = '274918'

const program = createRequire(import.meta.url).resolve('cognito-local/lib/bin/start.js')

/**
 * Starts a Cognito emulator as a separate process on a port of this machine. It supports only the success cases: it
 * enforces no password policy and no lock, accepts a wrong temporary password, does not rotate refresh tokens, and
 * keeps no refresh token of a sign-in with a second step.
 */
export async function startCognitoEmulator(accounts: CognitoAccount[]): Promise<CognitoEmulator> {
  const folder = await mkdtemp(join(tmpdir(), 'cognito-'))
  const database = join(folder, '.cognito', 'db')
  const pool = { id: 'local_pool', client: 'benchwatch-client' }
  await mkdir(database, { recursive: true })
  await writeFile(
    join(database, 'clients.json'),
    JSON.stringify({ Clients: { [pool.client]: { ClientId: pool.client, UserPoolId: pool.id } } }),
  )
  await writeFile(
    join(database, `${pool.id}.json`),
    JSON.stringify({
      Users: Object.fromEntries(accounts.map(stored).map((user) => [user.Username, user])),
      Options: { Id: pool.id, Name: pool.id, UsernameAttributes: ['email'], MfaConfiguration: 'OPTIONAL' },
    }),
  )
  const port = await freePort()
  const child = spawn(process.execPath, ['--no-warnings', program], {
    cwd: folder,
    env: { PORT: String(port), HOST: '127.0.0.1', CODE: COGNITO_CODE },
    // Inherited, it would keep the output of the test run open, and with it the run, if nobody stops it.
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  process.once('exit', () => child.kill())
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      if (text.includes('running on')) resolve()
    })
    child.once('exit', () => reject(new Error('The emulator of Cognito ended before it was ready.')))
  })
  return {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'local',
    userPoolId: pool.id,
    clientId: pool.client,
    async stop() {
      if (child.kill()) await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the account in the emulator's format. */
function stored({ email, password, mustChange = false, phone, totpSecret }: CognitoAccount) {
  const Username = randomUUID()
  const attributes = { sub: Username, email, email_verified: 'true', ...(phone && { phone_number: phone }) }
  return {
    Username,
    Password: password,
    Attributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
    Enabled: true,
    UserStatus: mustChange ? 'FORCE_CHANGE_PASSWORD' : 'CONFIRMED',
    RefreshTokens: [],
    ...(phone && { MFAOptions: [{ DeliveryMedium: 'SMS', AttributeName: 'phone_number' }] }),
    ...(totpSecret && {
      UserMFASettingList: ['SOFTWARE_TOKEN_MFA'],
      SoftwareTokenMfaConfiguration: { Secret: totpSecret, Verified: true },
    }),
  }
}

/** The emulator writes its port into its tokens, so the port must be known first. */
async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
