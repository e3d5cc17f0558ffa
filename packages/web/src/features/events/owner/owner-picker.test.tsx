import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { OwnerPicker } from './owner-picker.tsx'

const people = [
  { id: '1', name: 'Anna Lind', email: null, msisdn: null },
  { id: '2', name: 'Jonas Berg', email: null, msisdn: null },
  { id: '3', name: 'Maria Öberg', email: 'maria@helixbio.example', msisdn: null },
]
const namesake = { id: '4', name: 'Maria Öberg', email: 'maria@nordic.example', msisdn: null }
let answerUsers: () => Response
let answerPut: () => Response | Promise<Response>
let answerRead: () => Response | Promise<never>
let puts: unknown[]
let ifMatches: (string | null)[]

beforeEach(() => {
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  answerUsers = () => Response.json(people)
  puts = []
  ifMatches = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (address === '/api/users') return answerUsers()
    if (init.method !== 'PUT') return answerRead()
    puts.push(JSON.parse(String(init.body)))
    ifMatches.push(new Headers(init.headers).get('if-match'))
    return answerPut()
  })
})

afterEach(() => {
  cleanup()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
})

function show(event: ServiceEvent, viewerId = '1') {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Notifications />
        <OwnerPicker event={event} viewer={{ id: viewerId, role: 'service' }} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup()
}

const button = () => screen.getByRole('button', { name: /^Owner:/ })
const offered = async () => (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
const unreachable = () => Promise.reject(new TypeError('Failed to fetch'))

describe('the owner chooser', () => {
  it("offers 'Assign to me' first, and everybody but the current owner", async () => {
    const person = show(aServiceEvent({ claimedBy: '2', claimedByName: 'Jonas Berg' }))
    await person.click(button())
    expect(await offered()).toEqual(['Assign to me', 'Maria Öberg'])
  })

  it("offers no 'Assign to me' to the owner or to who is not in the user list", async () => {
    let person = show(aServiceEvent({ claimedBy: '1', claimedByName: 'Anna Lind' }))
    expect(button().textContent).toContain('Me')
    await person.click(button())
    expect(await offered()).not.toContain('Assign to me')
    cleanup()
    person = show(aServiceEvent(), '99')
    await person.click(button())
    expect(await offered()).toHaveLength(3)
  })

  it('distinguishes users of the same name by their addresses, where these may be seen', async () => {
    answerUsers = () => Response.json([...people, namesake])
    const person = show(aServiceEvent())
    await person.click(button())
    expect((await offered()).slice(2)).toEqual(['Maria Öbergmaria@helixbio.example', 'Maria Öbergmaria@nordic.example'])
  })

  it('a second choice made before the answer to the first builds on it', async () => {
    const answers: ((answer: Response) => void)[] = []
    answerPut = () => new Promise<Response>((resolve) => answers.push(resolve))
    const person = show(aServiceEvent({ version: 4 }))
    button().focus()
    for (const name of ['jonas', 'oberg']) {
      await person.keyboard('{Enter}')
      await person.type(await screen.findByLabelText('Search by name'), `${name}{Enter}`)
    }
    expect(ifMatches).toEqual(['"4"'])
    answers[0]?.(Response.json(aServiceEvent({ claimedBy: '2', claimedByName: 'Jonas Berg', version: 5 })))
    await waitFor(() => expect(ifMatches).toEqual(['"4"', '"5"']))
    answers[1]?.(Response.json(aServiceEvent({ claimedBy: '3', claimedByName: 'Maria Öberg', version: 6 })))
    expect(await screen.findByText(/^Maria Öberg set as owner/)).toBeTruthy()
  })

  it('is searchable by name, and Enter takes the first one found', async () => {
    const person = show(aServiceEvent())
    answerPut = () => Response.json(aServiceEvent({ claimedBy: '3', claimedByName: 'Maria Öberg', version: 2 }))
    await person.click(button())
    await person.type(await screen.findByLabelText('Search by name'), 'oberg')
    expect(await offered()).toEqual(['Maria Öberg'])
    await person.keyboard('{Enter}')
    expect(puts).toEqual([{ claimedBy: '3', alertStatus: 'IN_PROGRESS' }])
    expect(await screen.findByText('Maria Öberg set as owner on event')).toBeTruthy()
  })

  it('Tab leaves it for the button, and nobody is chosen', async () => {
    const person = show(aServiceEvent())
    await person.click(button())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Search by name')))
    await person.keyboard('{Tab}')
    await waitFor(() => expect(document.activeElement).toBe(button()))
    await waitFor(() => expect(screen.queryByLabelText('Search by name')).toBeNull())
    expect(puts).toEqual([])
  })

  it("says 'Could not get users' without the list, and tries again on request", async () => {
    answerUsers = () => Response.json({ status: 500, ErrorBody: 'Why.' }, { status: 500 })
    const person = show(aServiceEvent())
    await person.click(button())
    expect((await screen.findByRole('alert')).textContent).toContain('Could not get users')
    answerUsers = () => Response.json(people)
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await offered()).toContain('Assign to me')
  })

  it('cannot be opened for a closed event, and says why', async () => {
    const person = show(aServiceEvent({ alertStatus: '3_CLOSED', claimedBy: '2', claimedByName: 'Jonas Berg' }))
    await person.click(button())
    expect(screen.queryByRole('option')).toBeNull()
    expect((await screen.findByRole('tooltip')).textContent).toBe('A closed event keeps its owner.')
  })
})

describe('when the answer to a change gets lost', () => {
  async function assignToMe() {
    answerPut = unreachable
    const person = show(aServiceEvent())
    await person.click(button())
    await person.click(await screen.findByRole('option', { name: 'Assign to me' }))
  }

  it('the event is read again, and a change that was made is recognised', async () => {
    answerRead = () => Response.json(aServiceEvent({ claimedBy: '1', claimedByName: 'Anna Lind', version: 2 }))
    await assignToMe()
    expect(await screen.findByText('Anna Lind set as owner on event')).toBeTruthy()
    expect(puts).toHaveLength(1)
  })

  it('a change that was not made is reported', async () => {
    answerRead = () => Response.json(aServiceEvent())
    await assignToMe()
    expect(await screen.findByText('Could not update owner')).toBeTruthy()
    expect(screen.getByText(/The server did not answer\. ORC-104882 has not been changed yet/)).toBeTruthy()
    expect(button().textContent).toContain('None')
  })

  it('and the event can’t be read either, the outcome is reported as unknown', async () => {
    answerRead = unreachable
    await assignToMe()
    expect(await screen.findByText(/ORC-104882 may or may not have been changed/)).toBeTruthy()
  })
})
