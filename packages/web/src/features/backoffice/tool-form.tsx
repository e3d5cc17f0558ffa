import type { FieldError } from '@benchwatch/contract/administration/backoffice-forms'
import { limits } from '@benchwatch/contract/vocabulary'
import { Box, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import dayjs from 'dayjs'
import { type ReactNode, useState } from 'react'
import type { FieldProblems } from '../../lib/http.ts'
import { pageSettings } from '../../lib/page-settings.ts'
import { FormFields, type RecordForm, useInvalidFocus, useUnsavedNote } from '../../ui/form/record-form.tsx'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { showFailure } from '../../ui/overlay/toasts.ts'
import { Notice } from '../../ui/text/notice.tsx'
import { suggestedInstrumentsQuery } from './backoffice.api.ts'

/** Called when a tool gains or loses unsaved input. */
export type OnUnsaved = (hasUnsaved: boolean) => void

/** The card of one back-office tool. */
export function ToolForm(props: {
  form: Pick<RecordForm<Record<string, unknown>>, 'refusals' | 'isSaving' | 'isChanged' | 'submit' | 'clearErrors'>
  title: string
  /** The element ID that the address leads to. */
  anchor: string
  intro: ReactNode
  submitLabel: string
  isPending?: boolean
  onUnsaved?: OnUnsaved
  onClear: () => void
  children: ReactNode
  /** The result, below the buttons. */
  outcome?: ReactNode
}) {
  const { form } = props
  const element = useInvalidFocus(form.refusals)
  const isPending = form.isSaving || props.isPending === true
  useUnsavedNote(form.isChanged, props.onUnsaved)
  return (
    <Box id={props.anchor} tabIndex={-1} style={{ scrollMarginTop: 'calc(var(--bw-header) + 14px)', borderRadius: 12 }}>
      <Card title={props.title}>
        <Text c="dimmed" mb={14}>
          {props.intro}
        </Text>
        <form ref={element} noValidate aria-label={props.title} onSubmit={(event) => void form.submit(event)}>
          <FormFields>{props.children}</FormFields>
          <Group justify="flex-end" gap={8} mt={16}>
            <Button
              variant="default"
              disabled={isPending}
              onClick={() => {
                props.onClear()
                form.clearErrors()
              }}
            >
              Clear
            </Button>
            <Button type="submit" loading={isPending}>
              {props.submitLabel}
            </Button>
          </Group>
        </form>
        {props.outcome}
      </Card>
    </Box>
  )
}

/** Returns a handler that shows each failure of a tool in a toast whose title begins with `what`. */
export const failureToast = (what: string) => (reason: string) => showFailure({ title: `${what}: ${reason}` })

export function problemsIn(errors: readonly FieldError[] | undefined): FieldProblems {
  return Object.fromEntries((errors ?? []).map(({ path, message }) => [path, message]))
}

/**
 * An installed product ID, typed or chosen from a search of the instruments that the user can see. Test instruments
 * come first. For any other instrument the field names its customer and warns of the consequences.
 */
export function InstrumentInput(props: {
  value?: string
  onChange: (installedProductId: string) => void
  label?: string
  error?: ReactNode
  required?: boolean
  description?: ReactNode
  /** A sentence on how the action affects the customer; absent if it needs no warning. */
  reaches?: string
}) {
  const { label = 'Installed product ID', value = '', onChange } = props
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
 * Converts the value of a datetime-local field, in the browser's time zone, to an instant. Empty and invalid values
 * stay as they are for the form's rules to report.
 */
export function formInstant(wallClock: string): string {
  const at = wallClock === '' ? Number.NaN : new Date(wallClock).getTime()
  return Number.isNaN(at) ? wallClock : new Date(at).toISOString()
}

/** The inverse of formInstant, to the second: fractions are hard to edit. */
export function wallClockOf(at: Date): string {
  return dayjs(at).format('YYYY-MM-DDTHH:mm:ss')
}
