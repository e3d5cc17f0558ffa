import { MantineProvider, TextInput } from '@mantine/core'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/http.ts'
import { acceptSignIn, startSession, verifySession } from '../../lib/session/session.ts'
import { showFailure } from '../overlay/toasts.ts'
import { RecordForm, useRecordForm } from './record-form.tsx'

vi.mock('../overlay/toasts.ts', () => ({ showFailure: vi.fn<typeof showFailure>() }))

afterEach(() => {
  cleanup()
  early = undefined
})

interface Site {
  name: string
  city: string
}

/** The record on the server, and the requests that it gets. */
let stored: Site
const put = vi.fn<(site: Site, fresh: Site, etag: string | undefined) => Promise<Partial<Site>>>()

/** The form as first drawn, which an action has that began then. */
let early: RecordForm<Site> | undefined

function Form({ record }: { record: Site }) {
  const form = useRecordForm<Site>({
    record,
    keepOnPage: 'site 1',
    read: async () => ({ record: stored, etag: stored.city }),
    problemsOf: ({ name }) => ({ ...(name.trim() === '' && { name: 'Enter a name.' }) }),
    save: put,
  })
  useEffect(() => {
    early ??= form
  })
  return (
    <MantineProvider env="test">
      <RecordForm form={form} onUnsaved={() => undefined}>
        <TextInput label="Name" {...form.getInputProps('name')} />
        <TextInput label="City" {...form.getInputProps('city')} />
      </RecordForm>
    </MantineProvider>
  )
}

function open() {
  stored = { name: 'Pilot plant', city: 'Umeå' }
  put.mockReset().mockImplementation(async (site) => site)
  const { rerender } = render(<Form record={stored} />)
  return {
    person: userEvent.setup({ delay: null }),
    change: (site: Partial<Site>) => {
      stored = { ...stored, ...site }
      rerender(<Form record={stored} />)
    },
  }
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

async function type(person: ReturnType<typeof userEvent.setup>, label: string, text: string) {
  await person.clear(field(label))
  await person.type(field(label), text)
}

it('follows its record where nothing was edited, and says what another user changed', async () => {
  const { person, change } = open()
  await type(person, 'Name', 'Mine')
  change({ city: 'Luleå' })
  expect([field('Name').value, field('City').value]).toEqual(['Mine', 'Luleå'])
  expect(screen.getByText(/Changed by another user while you were editing: city\. Saving keeps/)).toBeTruthy()
  await person.click(button('Save'))
  expect(put).toHaveBeenCalledExactlyOnceWith({ name: 'Mine', city: 'Luleå' }, stored, 'Luleå')
  expect(screen.queryByText(/Changed by another user/)).toBeNull()
  expect(button('Save').disabled).toBe(true)
})

it('sends nothing when the same field was changed meanwhile, and overwrites it only when asked again', async () => {
  const { person, change } = open()
  await type(person, 'Name', 'Mine')
  stored = { ...stored, name: 'Theirs' }
  await person.click(button('Save'))
  expect(put).not.toHaveBeenCalled()
  change({})
  expect(screen.getByText(/You edited name as well: save again to overwrite/)).toBeTruthy()
  expect(field('Name').value).toBe('Mine')
  await person.click(button('Save'))
  expect(put).toHaveBeenCalledOnce()
})

it('reads and saves again when another user saved in between, and does not go on for ever', async () => {
  const { person } = open()
  const stale = new ApiError('Another user changed this.', { status: 412, code: 'version-mismatch' })
  await type(person, 'Name', 'Mine')
  put.mockImplementationOnce(async () => {
    stored = { ...stored, city: 'Luleå' }
    throw stale
  })
  await person.click(button('Save'))
  expect(put.mock.calls).toEqual([
    [{ name: 'Mine', city: 'Umeå' }, { name: 'Pilot plant', city: 'Umeå' }, 'Umeå'],
    [{ name: 'Mine', city: 'Luleå' }, stored, 'Luleå'],
  ])
  expect(screen.queryByRole('alert')).toBeNull()

  stored = { ...stored, name: 'Mine' }
  put.mockReset().mockRejectedValue(stale)
  await type(person, 'Name', 'Other')
  await person.click(button('Save'))
  expect((await screen.findByRole('alert')).textContent).toBe('Another user changed this.')
  expect(put).toHaveBeenCalledTimes(3)
})

it('discards to the record, and a field that was set back is no change', async () => {
  const { person } = open()
  await type(person, 'City', 'Luleå')
  await person.click(button('Discard'))
  expect(field('City').value).toBe('Umeå')
  await person.type(field('City'), 's{Backspace}')
  expect(button('Save').disabled).toBe(true)
})

it('discards and saves what is there now, also for an action that began before the last change', async () => {
  const { person } = open()
  await type(person, 'Name', 'Mine')
  await act(async () => early?.submit())
  expect(put).toHaveBeenCalledExactlyOnceWith({ name: 'Mine', city: 'Umeå' }, stored, 'Umeå')
  await type(person, 'Name', 'Other')
  act(() => early?.discard())
  expect(field('Name').value).toBe('Mine')
  expect(button('Save').disabled).toBe(true)
})

it('shows problems at their fields, puts the focus into the first, and forgets what was corrected', async () => {
  const { person } = open()
  await person.clear(field('Name'))
  await person.click(button('Save'))
  expect(screen.getByText('Enter a name.')).toBeTruthy()
  expect(document.activeElement).toBe(field('Name'))
  put.mockRejectedValue(
    new ApiError('Not valid.', {
      ...{ status: 400, code: 'validation-failed' },
      problem: { errors: [{ path: 'body.city', message: 'No such city.' }] } as never,
    }),
  )
  await person.type(field('Name'), 'Mine')
  expect(screen.queryByText('Enter a name.')).toBeNull()
  await person.click(button('Save'))
  expect(await screen.findByText('No such city.')).toBeTruthy()
  put.mockRejectedValue(new ApiError('The server is busy.', { status: 503, code: 'busy' }))
  await person.click(button('Save'))
  expect((await screen.findByRole('alert')).textContent).toBe('The server is busy.')
  expect(field('Name').value).toBe('Mine')
})

it('keeps as edits what was not saved', async () => {
  const { person } = open()
  put.mockImplementation(async ({ name }) => ({ name }))
  await type(person, 'Name', 'Mine')
  await type(person, 'City', 'Luleå')
  await person.click(button('Save'))
  expect(button('Save').disabled).toBe(false)
  await person.click(button('Discard'))
  expect([field('Name').value, field('City').value]).toEqual(['Mine', 'Umeå'])
})

it('keeps edits when the session expires, beside what another user changed meanwhile, but not when it is left', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ ErrorBody: 'Expired', code: 'session-expired' }, { status: 401 }))
  await startSession()
  const user = { userId: '7', userName: 'Anna', mail: 'a@benchwatch.example' }
  const signIn = () => acceptSignIn({ accessToken: 'token', expiresIn: 900, user })
  signIn()
  const { person } = open()
  await type(person, 'Name', 'Mine')
  await act(verifySession)
  cleanup()
  signIn()
  render(<Form record={{ name: 'Pilot plant', city: 'Luleå' }} />)
  expect([field('Name').value, field('City').value]).toEqual(['Mine', 'Luleå'])
  expect(screen.getByText(/Changed by another user while you were editing: city\./)).toBeTruthy()
  cleanup()
  render(<Form record={stored} />)
  expect(field('Name').value).toBe('Pilot plant')
  await act(verifySession)
  vi.unstubAllGlobals()
})

it('says after its screen was left that nothing was saved', async () => {
  const title = 'Your changes were not saved'
  const { person } = open()
  await type(person, 'Name', 'Mine')
  const refusal = Promise.withResolvers<Partial<Site>>()
  put.mockReturnValue(refusal.promise)
  await person.click(button('Save'))
  cleanup()
  await act(async () => refusal.reject(new Error('The server is busy.')))
  expect(showFailure).toHaveBeenLastCalledWith({ title, message: 'The server is busy.' })

  stored = { ...stored, name: 'Theirs' }
  await act(async () => early?.submit())
  expect(put).toHaveBeenCalledOnce()
  expect(showFailure).toHaveBeenLastCalledWith({
    title,
    message: 'Another user changed the same fields. Make your changes again.',
  })
})
