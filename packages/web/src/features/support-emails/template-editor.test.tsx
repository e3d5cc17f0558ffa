import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { FieldProblems } from '../../lib/http.ts'
import { useRecordForm } from '../../ui/form/record-form.tsx'
import { emptyTemplate, type TemplateDraft } from './template-draft.ts'
import { TemplateFields } from './template-editor.tsx'

function Form({ initial, problems = {} }: { initial: TemplateDraft; problems?: FieldProblems }) {
  const form = useRecordForm({ record: initial, problemsOf: () => problems, save: async (values) => values })
  return (
    <MantineProvider env="test">
      <form noValidate onSubmit={(event) => void form.submit(event)}>
        <TemplateFields form={form} />
        <button type="submit">Save</button>
      </form>
    </MantineProvider>
  )
}

const draft = { ...emptyTemplate, subject: 'Pressure on', body: 'Dear ,\n\nhello' }
const field = <T extends HTMLInputElement | HTMLTextAreaElement>(name: RegExp) =>
  screen.getByRole<T>('textbox', { name })
const placeholder = (name: string) => screen.getByRole('button', { name: new RegExp(`^\\{${name}\\}`) })

// jsdom lacks them; an autosizing text area listens for font loading.
beforeAll(() => Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true }))
afterEach(cleanup)

describe('a placeholder', () => {
  it('is inserted at the cursor, in the text that was edited last, and the cursor is behind it', async () => {
    const person = userEvent.setup({ delay: null })
    render(<Form initial={draft} />)
    const body = field<HTMLTextAreaElement>(/^Body/)
    await person.click(body)
    body.setSelectionRange(5, 5)
    await person.click(placeholder('contactName'))
    expect(body.value).toBe('Dear {contactName},\n\nhello')
    expect([document.activeElement, body.selectionStart]).toEqual([body, 'Dear {contactName}'.length])
    const subject = field(/^Subject/)
    await person.click(subject)
    await person.type(subject, ' ')
    await person.click(placeholder('systemName'))
    expect(subject.value).toBe('Pressure on {systemName}')
    expect(body.value).toBe('Dear {contactName},\n\nhello')
  })

  it('replaces what is selected, and ends the body before anything was edited', async () => {
    const person = userEvent.setup({ delay: null })
    render(<Form initial={draft} />)
    const body = field<HTMLTextAreaElement>(/^Body/)
    await person.click(placeholder('date'))
    expect(body.value).toBe('Dear ,\n\nhello{date}')
    body.setSelectionRange(8, 13)
    await person.click(placeholder('location'))
    expect(body.value).toBe('Dear ,\n\n{location}{date}')
  })

  it('that is unknown is reported at its field while typing', async () => {
    const person = userEvent.setup({ delay: null })
    render(<Form initial={draft} />)
    const subject = field(/^Subject/)
    await person.type(subject, ' {{systemname')
    expect(subject.getAttribute('aria-invalid')).not.toBe('true')
    await person.type(subject, '}')
    expect(screen.getByText('Unknown placeholder: {systemname}. Did you mean {systemName}?')).toBeTruthy()
    expect(subject.getAttribute('aria-invalid')).toBe('true')
  })
})

it('a refusal of the server is shown at its field', async () => {
  render(<Form initial={draft} problems={{ body: 'Nothing stands for {x}.' }} />)
  await userEvent.setup({ delay: null }).click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Nothing stands for {x}.')).toBeTruthy()
  expect(field(/^Body/).getAttribute('aria-invalid')).toBe('true')
})
