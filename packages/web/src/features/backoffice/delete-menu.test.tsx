import { aListedInstrument } from '@benchwatch/samples/listed-instrument'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setCredentials } from '../../lib/http.ts'
import { featuresQuery, meQuery } from '../users/users.api.ts'
import { DeleteMenu } from './deletions.tsx'

const deleted: string[] = []
const onDone = vi.fn()

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string, { method }: { method: string }) => {
    // The refetch after a deletion has no meaning in this test.
    if (method !== 'DELETE') return new Promise<Response>(() => undefined)
    deleted.push(`${method} ${address}`)
    return new Response(null, { status: 204 })
  })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setCredentials(null)
  deleted.length = 0
  onDone.mockReset()
})

const event = aServiceEvent({ id: '17', eventId: '104882' })
const instrument = aListedInstrument({ id: '47', instrumentInstalledProductId: 'IP-20431187' })

function show(role: string, features: string[], menu: React.ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(meQuery().queryKey, { id: '7', role } as never)
  client.setQueryData(featuresQuery().queryKey, features as never)
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>{menu}</QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup({ delay: null })
}

it.each([
  {
    flag: 'ALLOW_EVENT_DELETE',
    menu: <DeleteMenu kind="event" of={event} onDone={onDone} />,
    item: 'Delete event…',
    name: 'ORC-104882',
    sent: 'DELETE /api/alarms/17',
  },
  {
    flag: 'ALLOW_ASSET_DELETE',
    menu: <DeleteMenu kind="instrument" of={instrument} onDone={onDone} />,
    item: 'Delete instrument…',
    name: 'IP-20431187',
    sent: 'DELETE /api/instruments/47',
  },
])('$item is offered with $flag, without the back office, and asks for the name', async ({ flag, menu, ...told }) => {
  const person = show('support', [flag], menu)
  await person.click(screen.getByRole('button', { name: 'More actions' }))
  await person.click(await screen.findByRole('menuitem', { name: told.item }))
  const dialog = within(await screen.findByRole('dialog'))
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: /^Delete .* permanently$/ })
  expect(button.disabled).toBe(true)
  await person.type(dialog.getByLabelText(`Type ${told.name} to confirm`), told.name)
  await person.click(button)
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(deleted).toEqual([told.sent])
})

it.each([
  ['support', []],
  ['support', ['ALLOW_ASSET_DELETE', 'BACKOFFICE']],
  ['service', ['ALLOW_EVENT_DELETE', 'BACKOFFICE']],
  ['customer', ['ALLOW_EVENT_DELETE']],
])('is not there for %s with %j', (role, features) => {
  show(role, features, <DeleteMenu kind="event" of={event} onDone={onDone} />)
  expect(screen.queryByRole('button')).toBeNull()
})
