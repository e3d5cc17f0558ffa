import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberedPath } from '../../lib/remembered-path.ts'
import { sessionState, signOut } from '../../lib/session/session.ts'
import { noteSignOut } from '../../lib/session/sign-out-notice.ts'
import { LoginPanel } from './login-panel.tsx'

const tokens = {
  accessToken: 'token',
  expiresIn: 900,
  user: { userId: '7', userName: 'Anna Lind', mail: 'anna@benchwatch.example' },
}
const GOOD = 'Quiet-lab-2026'

let config: Record<string, unknown>
/** The server's end: the answer for each path, and the bodies it received. */
const answers = new Map<string, () => Response>()
const sent: [path: string, body: unknown][] = []

const refusal = (status: number, code: string) => () => Response.json({ ErrorBody: 'Refused.', code }, { status })
const good = (body: unknown) => () => Response.json(body)
const challenge = (kind: string, more = {}) =>
  good({ challenge: kind, challengeToken: `token of ${kind}`, delivery: '+46 ••• •• 03', ...more })

beforeEach(() => {
  sessionStorage.clear()
  sent.length = 0
  answers.clear()
  config = { provider: 'local', product: 'Benchwatch', deployment: 'global', passwordRules: [] }
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const path = address.replace('/api', '')
    if (path === '/auth/config') return Response.json(config)
    if (path === '/auth/sign-out') return new Response(null, { status: 204 })
    sent.push([path, JSON.parse(String(init.body))])
    return answers.get(path)?.() ?? refusal(404, 'not-found')()
  })
})

afterEach(async () => {
  cleanup()
  vi.useRealTimers()
  await signOut()
  vi.unstubAllGlobals()
})

function open(errorCode: string | null = null) {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <LoginPanel errorCode={errorCode} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup({ advanceTimers: (ms) => void (vi.isFakeTimers() && vi.advanceTimersByTime(ms)) })
}

/** Signs in with a password and stops at the next step. */
async function openAt(kind: string) {
  answers.set('/auth/sign-in', challenge(kind))
  const person = open()
  await person.type(await screen.findByLabelText('User ID'), 'anna@benchwatch.example')
  await person.type(screen.getByLabelText('Password'), 'temporary{Enter}')
  return person
}

const descriptionOf = (field: HTMLElement) =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')
const alert = async () => (await screen.findByRole('alert')).textContent

describe('the normal mode', () => {
  it('is not drawn before it is known which way in there is', async () => {
    open()
    expect(screen.queryByLabelText('User ID')).toBeNull()
    expect(await screen.findByLabelText('User ID')).toBeTruthy()
  })

  it('marks its fields for password managers', async () => {
    open()
    expect((await screen.findByLabelText('User ID')).getAttribute('autocomplete')).toBe('username')
    expect(screen.getByLabelText('Password').getAttribute('autocomplete')).toBe('current-password')
  })

  it('selects what is to be typed again, also after a click', async () => {
    answers.set('/auth/sign-in', refusal(401, 'bad-credentials'))
    const person = open()
    await person.type(await screen.findByLabelText('User ID'), 'anna')
    const password = screen.getByLabelText<HTMLInputElement>('Password')
    await person.type(password, 'wrong')
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await person.click(screen.getByRole('button', { name: 'Login' }))
      await alert()
      await waitFor(() => expect(document.activeElement).toBe(password))
      expect([password.selectionStart, password.selectionEnd]).toEqual([0, 'wrong'.length])
    }
  })

  it('says why the session ended that was there before', async () => {
    noteSignOut({ title: 'You were signed out after 4 hours without activity.', message: 'Log in again.' })
    open()
    const reason = await screen.findByText('You were signed out after 4 hours without activity.')
    expect(reason.closest('[role=status]')).not.toBeNull()
  })

  it('a step without its token reads: Internal error. Please reload the page.', async () => {
    answers.set('/auth/sign-in', challenge('SMS_MFA', { challengeToken: '' }))
    const person = open()
    await person.type(await screen.findByLabelText('User ID'), 'anna')
    await person.type(screen.getByLabelText('Password'), 'right{Enter}')
    expect(await alert()).toBe('Internal error. Please reload the page.')
  })

  it('an organisation with its own sign-in has one button, and its errors are shown', async () => {
    config = { ...config, provider: 'oidc', startUrl: '/api/auth/oidc/start' }
    open('too-many-requests')
    expect(await screen.findByRole('button', { name: 'Sign in with your organisation' })).toBeTruthy()
    expect(screen.queryByLabelText('Password')).toBeNull()
    expect(await alert()).toBe('Too many requests, please try again later.')
  })
})

describe('a new password', () => {
  it('warns that passwords differ, ticks the rules off, and sends nothing before both are right', async () => {
    const person = await openAt('NEW_PASSWORD_REQUIRED')
    const rule = (text: string) => screen.getByText(text).textContent
    await person.type(await screen.findByLabelText('New password'), 'quiet')
    const rules = within(screen.getByRole('list', { name: 'Password rules' })).getAllByRole('listitem')
    expect(rules.map(({ textContent }) => textContent?.replace(/ \(.*\)$/, ''))).toEqual([
      'at least 8 characters',
      'a lowercase letter',
      'at least 1 uppercase',
      'at least 1 number',
      'at least 1 special character',
    ])
    expect(rule('a lowercase letter')).toContain('(met)')
    expect(rule('at least 8 characters')).toContain('(not met yet)')
    await person.type(screen.getByLabelText('Repeat new password'), 'q')
    expect(screen.queryByText("Passwords don't match")).toBeNull()
    await person.type(screen.getByLabelText('Repeat new password'), 'x{Enter}')
    expect(screen.getByText("Passwords don't match")).toBeTruthy()
    // First two equal passwords that break the rules, then a good one that is not repeated correctly.
    for (const [first, second] of [
      ['quiet', 'quiet'],
      [GOOD, `${GOOD}!`],
    ] as const) {
      await person.clear(screen.getByLabelText('New password'))
      await person.type(screen.getByLabelText('New password'), first)
      await person.clear(screen.getByLabelText('Repeat new password'))
      await person.type(screen.getByLabelText('Repeat new password'), `${second}{Enter}`)
    }
    expect(sent.filter(([path]) => path === '/auth/new-password')).toEqual([])
  })

  it('that is refused shows the reason; an accepted one signs in and opens /settings', async () => {
    const person = await openAt('NEW_PASSWORD_REQUIRED')
    answers.set('/auth/new-password', refusal(400, 'password-policy'))
    await person.type(await screen.findByLabelText('New password'), GOOD)
    await person.type(screen.getByLabelText('Repeat new password'), `${GOOD}{Enter}`)
    expect(await alert()).toContain('Password does not conform to policy.')
    await person.clear(screen.getByLabelText('New password'))
    await person.type(screen.getByLabelText('New password'), 'quiet{Enter}')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(descriptionOf(screen.getByLabelText('New password'))).toContain('Still missing: at least 8 characters')
    await person.clear(screen.getByLabelText('New password'))
    await person.type(screen.getByLabelText('New password'), GOOD)
    answers.set('/auth/new-password', good(tokens))
    await person.click(screen.getByRole('button', { name: 'Save password' }))
    await waitFor(() => expect(sessionState().status).toBe('signed-in'))
    expect(sent.at(-1)).toEqual([
      '/auth/new-password',
      { challengeToken: 'token of NEW_PASSWORD_REQUIRED', newPassword: GOOD },
    ])
    expect(rememberedPath()).toBe('/settings')
  })
})

describe('a code by text message', () => {
  it('is sent with its last digit, also when it is pasted with blanks', async () => {
    const person = await openAt('SMS_MFA')
    answers.set('/auth/mfa', refusal(400, 'wrong-code'))
    await screen.findByText('+46 ••• •• 03')
    await person.click(screen.getByLabelText('Code'))
    await person.paste(' 123 456 ')
    expect(await alert()).toBe('Incorrect verification code.')
    answers.set('/auth/mfa', good(tokens))
    await person.keyboard('654321')
    await waitFor(() => expect(sessionState().status).toBe('signed-in'))
    expect(sent.slice(1)).toEqual([
      ['/auth/mfa', { challengeToken: 'token of SMS_MFA', code: '123456' }],
      ['/auth/mfa', { challengeToken: 'token of SMS_MFA', code: '654321' }],
    ])
  })

  it('is valid for 3 minutes, which are counted down', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await openAt('SMS_MFA')
    expect((await screen.findByRole('timer')).textContent).toMatch(/^Valid for (3:00|2:59)$/)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(screen.getByRole('timer').textContent).toMatch(/^Valid for (2:00|1:5\d)$/)
    await vi.advanceTimersByTimeAsync(121_000)
    expect(screen.getByRole('timer').textContent).toBe('The code has expired. Send a new one.')
  })

  it('can be had again 5 s after the last click for one, and the newest token counts', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const person = await openAt('SMS_MFA')
    const button = async () => screen.findByRole<HTMLButtonElement>('button', { name: /^Send a new code/ })
    expect((await button()).disabled).toBe(true)
    await vi.advanceTimersByTimeAsync(6000)
    expect((await button()).disabled).toBe(false)
    answers.set('/auth/mfa/resend', good({ challengeToken: 'newer' }))
    await person.click(await button())
    expect(await screen.findByText('New MFA code sent via text message.')).toBeTruthy()
    expect((await button()).disabled).toBe(true)
    expect((await button()).textContent).toMatch(/in [45] s$/)
    answers.set('/auth/mfa', good(tokens))
    await person.type(screen.getByLabelText('Code'), '123456')
    await waitFor(() => expect(sent.at(-1)).toEqual(['/auth/mfa', { challengeToken: 'newer', code: '123456' }]))
  })

  it('leads back to another account', async () => {
    const person = await openAt('SMS_MFA')
    await person.click(await screen.findByRole('button', { name: 'Use another account' }))
    expect(screen.getByLabelText<HTMLInputElement>('User ID').value).toBe('')
  })
})

it('an authenticator app’s code can be replaced by a recovery code', async () => {
  const person = await openAt('TOTP_MFA')
  await person.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
  answers.set('/auth/mfa', good(tokens))
  await person.type(screen.getByLabelText('Recovery code'), ' abcd-efgh-ijkl-mnop {Enter}')
  await waitFor(() => expect(sessionState().status).toBe('signed-in'))
  expect(sent.at(-1)).toEqual(['/auth/mfa', { challengeToken: 'token of TOTP_MFA', code: 'abcd-efgh-ijkl-mnop' }])
})

it('a forgotten password is replaced with a code sent by e-mail; then Password changed, and the user id is kept', async () => {
  const person = open()
  await person.type(await screen.findByLabelText('User ID'), 'anna@benchwatch.example')
  await person.click(screen.getByRole('button', { name: 'Forgot password?' }))
  answers.set('/auth/forgot-password', refusal(503, 'mail-busy'))
  await person.keyboard('{Enter}')
  expect(await alert()).toBe('Mail service is busy, please try again later.')
  answers.set('/auth/forgot-password', good({}))
  await person.click(screen.getByRole('button', { name: 'Send code' }))
  await person.type(await screen.findByLabelText('Verification code'), '123456')
  await person.type(screen.getByLabelText('New password'), GOOD)
  answers.set('/auth/confirm-forgot-password', refusal(400, 'code-expired'))
  await person.type(screen.getByLabelText('Repeat new password'), `${GOOD}{Enter}`)
  expect(await alert()).toBe('The verification code has expired, please resend the code.')
  answers.set('/auth/confirm-forgot-password', good({}))
  await person.click(screen.getByRole('button', { name: 'Change password' }))
  expect(await screen.findByText('Password changed')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('User ID').value).toBe('anna@benchwatch.example')
  expect(sent.at(-1)).toEqual([
    '/auth/confirm-forgot-password',
    { email: 'anna@benchwatch.example', code: '123456', newPassword: GOOD },
  ])
})

it('a reset says at the field which rules are not met, and drops the message of the attempt before', async () => {
  const person = open()
  await person.type(await screen.findByLabelText('User ID'), 'anna@benchwatch.example')
  await person.click(screen.getByRole('button', { name: 'Forgot password?' }))
  answers.set('/auth/forgot-password', good({}))
  await person.keyboard('{Enter}')
  answers.set('/auth/confirm-forgot-password', refusal(400, 'wrong-code'))
  await person.type(await screen.findByLabelText('Verification code'), '123456')
  await person.type(screen.getByLabelText('New password'), GOOD)
  await person.type(screen.getByLabelText('Repeat new password'), `${GOOD}{Enter}`)
  expect(await alert()).toBe('Incorrect verification code.')
  await person.clear(screen.getByLabelText('New password'))
  expect(screen.queryByRole('alert')).toBeNull()
  await person.clear(screen.getByLabelText('Repeat new password'))
  await person.type(screen.getByLabelText('New password'), 'short')
  await person.type(screen.getByLabelText('Repeat new password'), 'short{Enter}')
  const missing =
    'Still missing: at least 8 characters, at least 1 uppercase, at least 1 number, at least 1 special character.'
  expect(descriptionOf(screen.getByLabelText('New password'))).toContain(missing)
  expect(document.activeElement).toBe(screen.getByLabelText('New password'))
  expect(sent.map(([path]) => path)).toEqual(['/auth/forgot-password', '/auth/confirm-forgot-password'])
})

it('a reset needs the code and the same password twice: nothing is sent before', async () => {
  const person = open()
  await person.type(await screen.findByLabelText('User ID'), 'anna@benchwatch.example')
  await person.click(screen.getByRole('button', { name: 'Forgot password?' }))
  answers.set('/auth/forgot-password', good({}))
  await person.keyboard('{Enter}')
  await person.type(await screen.findByLabelText('New password'), GOOD)
  await person.type(screen.getByLabelText('Repeat new password'), `${GOOD}{Enter}`)
  expect(screen.getByText('Enter the 6 digits of the code.')).toBeTruthy()
  await person.type(screen.getByLabelText('Verification code'), '123456')
  await person.type(screen.getByLabelText('Repeat new password'), '!{Enter}')
  expect(screen.getByText("Passwords don't match")).toBeTruthy()
  expect(sent.map(([path]) => path)).toEqual(['/auth/forgot-password'])
})
