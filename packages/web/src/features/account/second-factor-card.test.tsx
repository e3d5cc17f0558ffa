import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { SecondFactorCard } from './second-factor-card.tsx'

const SECRET = 'JBSWY3DPEHPK3PXP'
let factor: { isManagedHere: boolean; sms: boolean; totp: boolean; recoveryCodesLeft: number }
const sent: [path: string, body: unknown][] = []

beforeEach(() => {
  sent.length = 0
  factor = { isManagedHere: true, sms: false, totp: false, recoveryCodesLeft: 0 }
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const path = address.replace('/api/account/second-factor', '')
    if (path === '') return Response.json(factor)
    const body = JSON.parse(String(init.body)) as { password?: string; code?: string }
    sent.push([path, body])
    if (body.password === 'wrong') return Response.json({ ErrorBody: 'x', code: 'bad-credentials' }, { status: 401 })
    if (path === '/totp') return Response.json({ secret: SECRET, otpauthUrl: `otpauth://totp/x?secret=${SECRET}` })
    if (path === '/totp/remove') return new Response(null, { status: 204 })
    factor = { ...factor, totp: true, recoveryCodesLeft: 2 }
    return Response.json({ recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] })
  })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function open(props: { msisdn?: string | null; hasSms?: boolean } = {}) {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <SecondFactorCard msisdn={props.msisdn ?? null} hasSms={props.hasSms ?? true} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup()
}

it('sets up an app: the password, the QR code, a code of it, and recovery codes this once', async () => {
  const person = open()
  await person.click(await screen.findByRole('button', { name: 'Set up' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.type(dialog.getByLabelText('Your password'), 'wrong{Enter}')
  expect((await dialog.findByRole('alert')).textContent).toBe('Incorrect password.')
  await person.clear(dialog.getByLabelText('Your password'))
  await person.type(dialog.getByLabelText('Your password'), 'right{Enter}')
  const picture = await dialog.findByRole('img', { name: 'QR code for your authenticator app' })
  // Version 1 has 21 squares per side; this address needs more.
  expect(Number(picture.getAttribute('viewBox')?.split(' ')[2])).toBeGreaterThan(21)
  expect(dialog.getByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy()
  await person.type(dialog.getByLabelText('Code'), '123456')
  expect(await dialog.findByText('cccc-dddd')).toBeTruthy()
  await person.click(dialog.getByRole('button', { name: 'I have saved them' }))
  expect(await screen.findByText('2 left')).toBeTruthy()
  expect(sent).toEqual([
    ['/totp', { password: 'wrong' }],
    ['/totp', { password: 'right' }],
    ['/totp/confirm', { code: '123456' }],
  ])
})

it('removes an app for the password', async () => {
  factor = { ...factor, totp: true, recoveryCodesLeft: 8 }
  const person = open()
  await person.click(await screen.findByRole('button', { name: 'Remove' }))
  const dialog = within(await screen.findByRole('dialog'))
  factor = { ...factor, totp: false }
  await person.type(dialog.getByLabelText('Your password'), 'right{Enter}')
  expect(await screen.findByRole('button', { name: 'Set up' })).toBeTruthy()
  expect(sent).toEqual([['/totp/remove', { password: 'right' }]])
})

it('shows where codes by text message are sent', async () => {
  factor = { ...factor, sms: true }
  open({ msisdn: '+46 70 555 01 05' })
  expect(await screen.findByText('Codes go to +46 70 555 01 05.')).toBeTruthy()
})

it('SMS options are shown only outside the China deployment', async () => {
  open({ hasSms: false })
  expect(await screen.findByText('Authenticator app')).toBeTruthy()
  expect(screen.queryByText('Text message')).toBeNull()
})

it('that is kept elsewhere is changed there', async () => {
  factor = { ...factor, isManagedHere: false }
  open()
  expect(await screen.findByText(/managed by your organisation/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
