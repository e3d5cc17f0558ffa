import type { View } from '@benchwatch/contract/events/views'
import { type CalendarContent, calendarContents, limits } from '@benchwatch/contract/vocabulary'
import { Button, Checkbox, Group, MultiSelect, NativeSelect, Stack, TextInput } from '@mantine/core'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useInvalidFocus, useRecordForm } from '../../ui/form/record-form.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Notice } from '../../ui/text/notice.tsx'
import { defaultInstrumentSearch } from '../instruments/instruments.search.ts'
import { narrowing, searchOfView } from '../instruments/list/instrument-view.ts'
import { filtersQuery } from '../users/users.api.ts'
import { viewsQuery } from '../views/views.api.ts'
import { type NewCalendar, useCreateCalendar } from './calendars.api.ts'

export const contentLabels: Record<CalendarContent, string> = {
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
export function NewCalendarDialog(props: {
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
