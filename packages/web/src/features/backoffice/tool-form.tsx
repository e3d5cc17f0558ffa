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

/** Hears whether a tool holds what was typed and not done. */
export type OnUnsaved = (hasUnsaved: boolean) => void

/** One tool of the back office: what it does, its fields, and the button that does it. The first field that is wrong gets the cursor. */
export function ToolForm(props: {
  title: string
  /** Where the address leads. */
  anchor: string
  intro: ReactNode
  submitLabel: string
  isPending: boolean
  /** How often it was refused. */
  refusals: number
  onSubmit: () => void
  onClear: () => void
  children: ReactNode
  /** What came of it, below the button. */
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
 * An installed product id: written, or found among the instruments that the user sees by any word about them. Test
 * instruments come first. For any other instrument the field says whose it is, and what follows from that.
 */
export function InstrumentInput(props: {
  value: string
  onChange: (installedProductId: string) => void
  label?: string
  error?: ReactNode
  required?: boolean
  description?: ReactNode
  /** A sentence on what reaches the customer; absent where that needs no warning. */
  reaches?: string
}) {
  const { label = 'Installed product ID', value, onChange } = props
  // Nothing is asked before the field is entered: the page has four of them.
  const [search, setSearch] = useState<string | null>(null)
  const found = useQuery({
    ...suggestedInstrumentsQuery((search ?? '').trim().slice(0, limits.keyword)),
    enabled: search !== null,
  })

  const meant = useQuery({
    ...suggestedInstrumentsQuery(value.slice(0, limits.keyword)),
    enabled: value !== '' && props.reaches !== undefined,
  }).data?.find((instrument) => instrument.instrumentInstalledProductId === value)

  function handleSearch(text: string) {
    setSearch(text)
    // What is written counts, also where nothing is chosen: an id may come from a mail.
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
        placeholder="Type an id, a name or a customer"
        options={(found.data ?? []).map((instrument) => ({
          value: instrument.instrumentInstalledProductId,
          label: instrument.instrumentInstalledProductId,
          // Isolated: a customer's name may run from right to left.
          hint: `${instrument.instrumentProductDescription} · \u2068${instrument.instrumentCustomer}\u2069`,
          mark: isTest(instrument.instrumentInstalledProductId) ? 'Test instrument' : undefined,
        }))}
        isLoading={found.isFetching}
        failed={found.isError}
        onSearch={handleSearch}
        onChoose={onChange}
        onClear={() => onChange('')}
      />
      {meant !== undefined && !isTest(value) && (
        <Box mt={8}>
          <Notice tone="warning">
            This instrument belongs to <bdi>{meant.instrumentCustomer}</bdi>. {props.reaches}
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
 * The doing of a tool: what is wrong with its fields, found here or by the server, and a message for every refusal, which
 * begins with `failure`.
 */
export function useTool(failure: string, onUnsaved: OnUnsaved) {
  const [isPending, setPending] = useState(false)
  const [problems, setProblems] = useState<FieldProblems>({})
  // Counts refusals: each puts the cursor into the first wrong field, an edit that mends one does not.
  const [refusals, setRefusals] = useState(0)

  /** Runs `work` unless `errors` says what is wrong before; true when it succeeded. Never throws. */
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

  /** What was wrong with a field is not known any more once it is edited. */
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

/** Times of a form: what the browser's field holds is the wall clock of the viewer, the wire has instants. */

/** `2026-11-20T14:02:23` of the viewer's zone as an instant; empty, or what is no time, stays as it is for the rules to name. */
export function formInstant(wallClock: string): string {
  const at = wallClock === '' ? Number.NaN : new Date(wallClock).getTime()
  return Number.isNaN(at) ? wallClock : new Date(at).toISOString()
}

/** The inverse, to the second: a field that holds parts of one is hard to edit. */
export function wallClockOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}
