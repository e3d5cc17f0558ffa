import type { FieldError } from '@benchwatch/contract/backoffice-forms'
import { limits } from '@benchwatch/contract/vocabulary'
import { Box, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { type FieldProblems, fieldProblems } from '../../lib/http.ts'
import { pageSettings } from '../../lib/page-settings.ts'
import form from '../../ui/form/form.module.css'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { showFailure } from '../../ui/overlay/toasts.ts'
import { Notice } from '../../ui/text/notice.tsx'
import { suggestedInstrumentsQuery } from './backoffice.api.ts'
import styles from './backoffice.module.css'

/** Called when a tool gains or loses unsaved input. */
export type OnUnsaved = (hasUnsaved: boolean) => void

/** The card of one back-office tool. After a failed attempt, the first invalid field gets the focus. */
export function ToolForm(props: {
  title: string
  /** The element ID that the address leads to. */
  anchor: string
  intro: ReactNode
  submitLabel: string
  isPending: boolean
  /** The number of failed attempts. */
  refusals: number
  onSubmit: () => void
  onClear: () => void
  children: ReactNode
  /** The result, below the buttons. */
  outcome?: ReactNode
}) {
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (props.refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [props.refusals])

  function handleSubmit(submit: FormEvent) {
    submit.preventDefault()
    if (!props.isPending) props.onSubmit()
  }

  return (
    <div className={styles.tool} id={props.anchor} tabIndex={-1}>
      <Card title={props.title}>
        <p className={styles.intro}>{props.intro}</p>
        <form ref={element} noValidate aria-label={props.title} onSubmit={handleSubmit}>
          <div className={form.fields}>{props.children}</div>
          <div className={styles.end}>
            <Button variant="default" disabled={props.isPending} onClick={props.onClear}>
              Clear
            </Button>
            <Button type="submit" loading={props.isPending}>
              {props.submitLabel}
            </Button>
          </div>
        </form>
        {props.outcome}
      </Card>
    </div>
  )
}

/**
 * An installed product ID, typed or chosen from a search of the instruments that the user can see. Test instruments
 * come first. For any other instrument the field names its customer and warns of the consequences.
 */
export function InstrumentInput(props: {
  value: string
  onChange: (installedProductId: string) => void
  label?: string
  error?: ReactNode
  required?: boolean
  description?: ReactNode
  /** A sentence on how the action affects the customer; absent if it needs no warning. */
  reaches?: string
}) {
  const { label = 'Installed product ID', value, onChange } = props
  // Nothing is asked before the field is entered: the page has four of them.
  const [search, setSearch] = useState<string | null>(null)
  const found = useQuery({
    ...suggestedInstrumentsQuery((search ?? '').trim().slice(0, limits.keyword)),
    enabled: search !== null,
  })

  const chosen = useQuery({
    ...suggestedInstrumentsQuery(value.slice(0, limits.keyword)),
    enabled: value !== '' && props.reaches !== undefined,
  }).data?.find((instrument) => instrument.instrumentInstalledProductId === value)

  function handleSearch(text: string) {
    setSearch(text)
    // The typed text counts even if no option is chosen: the ID may be pasted from an e-mail.
    if (text !== '') onChange(text.trim())
  }

  return (
    <div>
      <SearchSelect
        label={label}
        text={value}
        error={props.error}
        description={props.description}
        required={props.required ?? false}
        placeholder="Type an ID, a name or a customer"
        options={(found.data ?? []).map((instrument) => ({
          value: instrument.instrumentInstalledProductId,
          label: instrument.instrumentInstalledProductId,
          // Bidi isolates, because a customer's name may be right-to-left.
          hint: `${instrument.instrumentProductDescription} · \u2068${instrument.instrumentCustomer}\u2069`,
          mark: isTest(instrument.instrumentInstalledProductId) ? 'Test instrument' : undefined,
        }))}
        isLoading={found.isFetching}
        failed={found.isError}
        onSearch={handleSearch}
        onChoose={onChange}
        onClear={() => onChange('')}
      />
      {chosen !== undefined && !isTest(value) && (
        <Box mt={8}>
          <Notice tone="warning">
            This instrument belongs to <bdi>{chosen.instrumentCustomer}</bdi>. {props.reaches}
          </Notice>
        </Box>
      )}
    </div>
  )
}

function isTest(installedProductId: string): boolean {
  return pageSettings().testInstruments.includes(installedProductId)
}

/**
 * Runs a tool and keeps the problems of its fields, found in the browser or by the server. Every failure shows a toast
 * whose title begins with `failure`.
 */
export function useTool(failure: string, onUnsaved: OnUnsaved) {
  const [isPending, setPending] = useState(false)
  const [problems, setProblems] = useState<FieldProblems>({})
  // Each failed attempt moves the focus to the first invalid field; an edit that fixes a field does not.
  const [refusals, setRefusals] = useState(0)

  /** Runs `work` unless `errors` has entries. Returns true on success. Never throws. */
  async function run(work: () => Promise<unknown>, errors: readonly FieldError[] = []): Promise<boolean> {
    const found = Object.fromEntries(errors.map(({ path, message }) => [path, message]))
    setProblems(found)
    if (errors[0] !== undefined) {
      setRefusals((count) => count + 1)
      showFailure({ title: `${failure}: ${errors[0].message}` })
      return false
    }
    setPending(true)
    try {
      await work()
      onUnsaved(false)
      return true
    } catch (error) {
      setProblems(fieldProblems(error))
      setRefusals((count) => count + 1)
      showFailure({ title: `${failure}: ${reasonOf(error)}` })
      return false
    } finally {
      setPending(false)
    }
  }

  /** Clears the problems of the edited fields. */
  function noteEdit(fields: readonly string[]) {
    onUnsaved(true)
    setProblems((known) => Object.fromEntries(Object.entries(known).filter(([field]) => !fields.includes(field))))
  }

  function noteClear() {
    onUnsaved(false)
    setProblems({})
  }

  return { isPending, problems, refusals, run, noteEdit, noteClear }
}

/**
 * Converts the value of a datetime-local field, in the browser's time zone, to an instant. Empty and invalid values
 * stay as they are for the form's rules to report.
 */
export function formInstant(wallClock: string): string {
  const at = wallClock === '' ? Number.NaN : new Date(wallClock).getTime()
  return Number.isNaN(at) ? wallClock : new Date(at).toISOString()
}

/** The inverse of formInstant, to the second: fractions are hard to edit. */
export function wallClockOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}
