import { addPerson, type Scene } from './access-callers.ts'
import { SAMPLE_PASSWORD } from './sample-people.ts'
import { lastCodeTo } from './sent-messages.ts'
import type { TestApp } from './test-app.ts'

const NEW_PASSWORD = 'Kr0kodil-im-Schrank!'
const nothing = () => ({})

/** Good requests about signing in (`access-requests.ts`), each as somebody made for it. */
export const signInRequests = {
  getAuthConfig: nothing,
  signIn: async ({ app }: Scene) => ({ body: credentials((await addPerson(app)).login) }),
  setNewPassword: async ({ app }: Scene) => {
    const { login } = await addPerson(app, { mustChangePassword: true })
    return { body: { challengeToken: await challengeOf(app, login), newPassword: NEW_PASSWORD } }
  },
  answerMfa: async ({ app }: Scene) => {
    const { challengeToken, msisdn } = await smsChallenge(app)
    return { body: { challengeToken, code: await lastCodeTo(app.database.db, msisdn) } }
  },
  resendMfa: async ({ app }: Scene) => {
    const { challengeToken } = await smsChallenge(app)
    // Not within 5 s.
    app.clock.advance(6000)
    return { body: { challengeToken } }
  },
  forgotPassword: async ({ app }: Scene) => ({ body: { email: (await addPerson(app)).login } }),
  confirmForgotPassword: async ({ app }: Scene) => {
    const { login: email } = await addPerson(app)
    await app.call('forgotPassword', { body: { email } })
    return { body: { email, code: await lastCodeTo(app.database.db, email), newPassword: NEW_PASSWORD } }
  },
  startOidc: () => ({ query: {} }),
  finishOidc: () => ({ query: {} }),
  refresh: async ({ app }: Scene) => {
    const { headers } = await app.call('signIn', { body: credentials((await addPerson(app)).login) })
    const [cookie = ''] = String(headers['set-cookie']).split(';')
    return { body: {}, headers: { cookie } }
  },
  signOut: () => ({ body: {} }),
} as const

const credentials = (userId: string) => ({ userId, password: SAMPLE_PASSWORD })

async function challengeOf(app: TestApp, login: string): Promise<string> {
  const { body } = await app.call('signIn', { body: credentials(login) })
  if (!('challengeToken' in body)) throw new Error(`The sign-in of ${login} asks for nothing.`)
  return body.challengeToken
}

let numbers = 0

async function smsChallenge(app: TestApp): Promise<{ challengeToken: string; msisdn: string }> {
  numbers += 1
  const msisdn = `+4670999${String(numbers).padStart(4, '0')}`
  const { login } = await addPerson(app, { smsMfa: true, msisdn })
  return { challengeToken: await challengeOf(app, login), msisdn }
}
