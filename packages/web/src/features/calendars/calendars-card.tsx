import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import type { View } from '@benchwatch/contract/events/views'
import type { Calendar } from '@benchwatch/contract/instruments/calendars'
import { type CalendarContent, calendarContents, limits } from '@benchwatch/contract/vocabulary'
import { Box, Button, Checkbox, Group, MultiSelect, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { formatEventDate, formatEventTime } from '../../lib/time/dates.ts'
import { useInvalidFocus, useRecordForm } from '../../ui/form/record-form.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { SecretDialog } from '../../ui/overlay/secret-dialog.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { FailedQuery, Notice } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { defaultInstrumentSearch } from '../instruments/instruments.search.ts'
import { narrowing, searchOfView } from '../instruments/list/instrument-view.ts'
import { filtersQuery } from '../users/users.api.ts'
import { viewsQuery } from '../views/views.api.ts'
import { calendarsQuery, type NewCalendar, useCreateCalendar, useRevokeCalendar } from './calendars.api.ts'

/** Links with which the user's calendar program reads dates of instruments. */
export function CalendarsCard() {
  const calendars = useQuery(calendarsQuery())
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<{ name: string; url: string } | null>(null)
  return (
    <Card
      title="Calendars"
      end={
        <Button variant="default" size="compact-sm" onClick={() => setCreating(true)}>
          New calendar
        </Button>
      }
    >
      <Text c="dimmed">
        Outlook, Google Calendar and other programs subscribe to a link and show maintenance, services and contract ends
        of your instruments. Anybody who has the link can read that calendar.
      </Text>
      {calendars.data !== undefined ? (
        <Stack component="ul" gap="md" m={0} p={0} mt={calendars.data.length > 0 ? 'md' : 0}>
          {calendars.data.map((calendar) => (
            <CalendarRow key={calendar.id} calendar={calendar} />
          ))}
        </Stack>
      ) : calendars.isError ? (
        <FailedQuery title="Could not get calendars" query={calendars} />
      ) : (
        <SkeletonLine width="220px" />
      )}
      {isCreating && (
        <NewCalendarDialog
          onCancel={() => setCreating(false)}
          onCreated={(calendar) => {
            setCreating(false)
            setCreated(calendar)
          }}
        />
      )}
      {created !== null && (
        <SecretDialog
          title={`Link of “${created.name}”`}
          secret={created.url}
          hint="In your calendar program, choose “Subscribe to a calendar” or “Add from the Internet”, and paste this link."
          onDone={() => setCreated(null)}
        />
      )}
    </Card>
  )
}

function CalendarRow({ calendar }: { calendar: Calendar }) {
  const { id, name } = calendar
  const revoke = useRevokeCalendar()

  async function handleRevoke() {
    const message = `Revoke the calendar “${name}”? Programs that subscribe to its link can no longer read it.`
    if (!(await confirm({ message, confirmLabel: 'Revoke', isDestructive: true }))) return
    try {
      await revoke.mutateAsync(id)
      showSuccess({ title: `Calendar “${name}” revoked` })
    } catch (error) {
      showFailure({ title: `Could not revoke calendar “${name}”`, message: reasonOf(error) })
    }
  }

  return (
    <Group component="li" justify="space-between" gap="8px 14px">
      <Box flex="1 1 170px" miw={0}>
        <Text fw={560}>{name}</Text>
        <Text c="dimmed">{contentOf(calendar)}</Text>
        <Text c="dimmed">{useOf(calendar)}</Text>
      </Box>
      <Button variant="default" aria-label={`Revoke ${name}`} onClick={() => void handleRevoke()}>
        Revoke
      </Button>
    </Group>
  )
}

/** Returns a sentence part such as 'Maintenance, next services · Helix Biologics · filters of “Mine”'. */
export function contentOf({ contents, customers, viewName }: Calendar): string {
  const [first = '', ...others] = contents.map((content) => contentLabels[content])
  const parts = [[first, ...others.map((label) => label.toLowerCase())].join(', ')]
  if (customers !== null)
    parts.push(customers.length === 0 ? 'empty: you no longer see its customers' : customers.join(', '))
  if (viewName !== null) parts.push(`filters of “${viewName}”`)
  return parts.join(' · ')
}

function useOf({ createdAt, lastUsedAt }: Calendar): string {
  const use = lastUsedAt === null ? 'Never read' : `Last read ${formatEventTime(lastUsedAt)}`
  return `${use} · created ${formatEventDate(createdAt)}`
}

const contentLabels: Record<CalendarContent, string> = {
  maintenance: 'Maintenance',
  service: 'Next services',
  contract: 'Contract ends',
}

interface CalendarForm {
  name: string
  contents: CalendarContent[]
  /** Names; empty for all. */
  customers: string[]
  /** Id of a saved view of instruments; empty for all instruments. */
  viewId: string
}

const emptyCalendar: CalendarForm = { name: '', contents: [...calendarContents], customers: [], viewId: '' }

/** Asks for the name and the content of a new calendar. `onCreated` gets the link, which cannot be read again. */
function NewCalendarDialog(props: {
  onCreated: (created: { name: string; url: string }) => void
  onCancel: () => void
}) {
  const create = useCreateCalendar()
  const filters = useQuery(filtersQuery()).data?.instrumentSummaryFilter
  const customers = filters?.find(({ key }) => key === 'instrumentCustomer')?.values ?? []
  const views = (useQuery(viewsQuery()).data ?? []).filter(({ area }) => area === 'instruments')
  const form = useRecordForm<CalendarForm>({
    record: emptyCalendar,
    keep: 'calendar',
    problemsOf: (values) => ({
      ...(values.name.trim() === '' && { name: 'Enter a name.' }),
      ...(values.contents.length === 0 && { contents: 'Choose at least one.' }),
    }),
    save: async (values) => {
      const created = await create.mutateAsync({
        name: values.name.trim(),
        contents: values.contents,
        customers: values.customers.length === 0 ? null : values.customers,
        view: filtersOf(views.find(({ id }) => id === values.viewId)),
      })
      props.onCreated(created)
      return values
    },
  })
  const element = useInvalidFocus(form.refusals)
  return (
    <Dialog onClose={props.onCancel} title="New calendar">
      <form ref={element} noValidate onSubmit={(event) => void form.submit(event)}>
        <Stack gap="md">
          {form.failure !== null && <Notice tone="danger">{form.failure}</Notice>}
          <TextInput
            label="Name"
            description="Your calendar program shows it."
            data-autofocus
            required
            autoComplete="off"
            maxLength={limits.calendarName}
            {...form.getInputProps('name')}
          />
          <Checkbox.Group label="Content" {...form.getInputProps('contents')}>
            {calendarContents.map((content) => (
              <Checkbox key={content} mt={4} value={content} label={contentLabels[content]} />
            ))}
          </Checkbox.Group>
          {customers.length > 1 && (
            <MultiSelect
              label="Customers"
              placeholder={form.values.customers.length === 0 ? 'All' : ''}
              data={customers}
              searchable
              openOnFocus={false}
              hidePickedOptions
              {...form.getInputProps('customers')}
            />
          )}
          {views.length > 0 && (
            <NativeSelect
              label="Instruments"
              description="Those that the filters of a saved view find. Later changes of the view do not change the calendar."
              data={[
                { value: '', label: 'All' },
                ...views.map(({ id, name }) => ({ value: id, label: `Filters of “${name}”` })),
              ]}
              {...form.getInputProps('viewId')}
            />
          )}
          <Group justify="flex-end" gap={8}>
            <Button
              variant="default"
              onClick={() => {
                form.discard()
                props.onCancel()
              }}
            >
              Cancel
            </Button>
            <Button type="submit" loading={form.isSaving}>
              Create calendar
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Returns what narrows the list of a view, except its next service dates: they would hide maintenance. */
export function filtersOf(view: Pick<View, 'name' | 'state'> | undefined): NewCalendar['view'] {
  if (view === undefined) return null
  const search = searchOfView({ ...view.state, range: null }, defaultInstrumentSearch, 0)
  const { query, body } = narrowing(search)
  return { name: view.name, ...query, ...body }
}
