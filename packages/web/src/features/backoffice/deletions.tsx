import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import { alertStatusLabels, type FeatureKey } from '@benchwatch/contract/vocabulary'
import { ActionIcon, Button, Group, Menu, Paper, Text, TextInput } from '@mantine/core'
import { IconDots, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { eventName } from '../../lib/screen-name.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { FormFields } from '../../ui/form/record-form.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { Fact, FactList } from '../../ui/text/fact.tsx'
import { featuresQuery, meQuery } from '../users/users.api.ts'
import { type DeletionKind, useDelete } from './backoffice.api.ts'

/** Kinds of objects that can be deleted permanently, each behind its own flag (3-decisions 5). */
const deletionKinds: readonly DeletionKind[] = ['instrument', 'event', 'log', 'profile', 'user']

const deletions: Record<DeletionKind, { flag: FeatureKey; title: string; noun: string; consequence: string }> = {
  instrument: {
    flag: 'ALLOW_ASSET_DELETE',
    title: 'Delete an instrument',
    noun: 'instrument',
    consequence: 'Also deletes its events, logs, usage, run times, maintenance and unsubscriptions of contacts.',
  },
  event: {
    flag: 'ALLOW_EVENT_DELETE',
    title: 'Delete a service event',
    noun: 'event',
    consequence: 'Also deletes its e-mails and notifications. The audit log is kept.',
  },
  log: {
    flag: 'ALLOW_LOG_DELETE',
    title: 'Delete a log line',
    noun: 'log line',
    consequence: 'Deletes the line for all users. The deletion is recorded.',
  },
  profile: {
    flag: 'ALLOW_PROFILE_DELETE',
    title: 'Delete a profile',
    noun: 'profile',
    consequence: 'Deletes the settings of the profile. Its owner gets a profile with default settings.',
  },
  user: {
    flag: 'ALLOW_USER_DELETE',
    title: 'Delete a user',
    noun: 'user',
    consequence:
      'Ends their sessions and deletes their personal data. Their actions stay in the audit log under their name.',
  },
}

/** Returns the kinds that the user may delete. */
export function deletableKinds(role: string, features: readonly FeatureKey[]): DeletionKind[] {
  if (role !== 'support' && role !== 'admin') return []
  return deletionKinds.filter((kind) => features.includes(deletions[kind].flag))
}

/** True if the typed text is the name, in upper or lower case. */
export function isConfirmed(typed: string, name: string): boolean {
  return name !== '' && typed.trim().toLowerCase() === name.trim().toLowerCase()
}

/** The object to delete: its ID on the wire, the name to type, and facts to recognise it by. */
export interface DeletionSubject {
  id: string
  name: string
  facts: readonly { name: string; value: ReactNode }[]
}

export function subjectOfInstrument(instrument: Instrument): DeletionSubject {
  return {
    id: instrument.id,
    name: instrument.instrumentInstalledProductId,
    facts: [
      { name: 'Instrument', value: instrument.instrumentProductDescription },
      { name: 'System name', value: instrument.instrumentDefinedSystemName ?? '–' },
      { name: 'Customer', value: instrument.instrumentCustomer },
      { name: 'Open events', value: instrument.eventCount.toLocaleString('en') },
    ],
  }
}

export function subjectOfEvent(event: ServiceEvent): DeletionSubject {
  return {
    id: event.id,
    name: eventName(event),
    facts: [
      { name: 'Description', value: event.description ?? '–' },
      { name: 'Instrument', value: event.instrumentInstalledProductId },
      { name: 'Customer', value: event.enterpriseName ?? '–' },
      { name: 'Status', value: alertStatusLabels[event.alertStatus] },
      { name: 'Raised', value: formatEventTime(event.createdAt) },
    ],
  }
}

interface DeletionFormProps {
  kind: DeletionKind
  subject: DeletionSubject | null
  onDone: () => void
  children?: ReactNode
}

/**
 * Deletes one object permanently after its name was typed. `children` are the fields that find it; `onDone` resets
 * them.
 */
export function DeletionForm(props: DeletionFormProps) {
  return (
    <Card title={deletions[props.kind].title}>
      <DeletionFields {...props} />
    </Card>
  )
}

/** The form without a card, for a dialog. */
function DeletionFields(props: DeletionFormProps) {
  const { kind, subject } = props
  const { title, noun, consequence } = deletions[kind]
  const [typed, setTyped] = useState({ id: '', text: '' })
  const remove = useDelete(kind)
  // Text that was typed for another object does not count.
  const text = typed.id === subject?.id ? typed.text : ''
  const canDelete = subject !== null && isConfirmed(text, subject.name)

  async function handleSubmit(submit: FormEvent) {
    submit.preventDefault()
    if (!canDelete || remove.isPending) return
    try {
      await remove.mutateAsync(subject.id)
      showSuccess({ title: `Deleted: ${subject.name}` })
      setTyped({ id: '', text: '' })
      props.onDone()
    } catch (error) {
      showFailure({ title: `Could not delete ${subject.name}`, message: reasonOf(error) })
    }
  }

  return (
    <form noValidate aria-label={title} onSubmit={(submit) => void handleSubmit(submit)}>
      <Text c="dimmed" mb={14}>
        {consequence}
      </Text>
      <FormFields>
        {props.children}
        {subject !== null && (
          <>
            <Paper withBorder radius={8} p="12px 14px" data-wide>
              <FactList>
                {subject.facts.map(({ name, value }) => (
                  <Fact key={name} name={name}>
                    {value}
                  </Fact>
                ))}
              </FactList>
            </Paper>
            <TextInput
              wrapperProps={{ 'data-wide': true }}
              label={`Type ${subject.name} to confirm`}
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={({ currentTarget }) => setTyped({ id: subject.id, text: currentTarget.value })}
            />
          </>
        )}
      </FormFields>
      <Group justify="flex-end" mt={16}>
        <Button
          type="submit"
          color={canDelete ? 'var(--bw-danger)' : undefined}
          c={canDelete ? 'var(--bw-on-accent)' : undefined}
          disabled={!canDelete}
          loading={remove.isPending}
        >
          Delete {noun} permanently
        </Button>
      </Group>
    </form>
  )
}

/**
 * A menu at the end of a page's bar that deletes the event or instrument of the page. Absent unless the user's role
 * and flags allow it.
 */
export function DeleteMenu(
  props: ({ kind: 'event'; of: ServiceEvent } | { kind: 'instrument'; of: Instrument }) & { onDone: () => void },
) {
  const me = useQuery(meQuery()).data
  const features = useQuery(featuresQuery()).data
  const [isOpen, setOpen] = useState(false)
  if (me === undefined || features === undefined || !deletableKinds(me.role, features).includes(props.kind)) return null
  const { title, noun } = deletions[props.kind]
  const subject = props.kind === 'event' ? subjectOfEvent(props.of) : subjectOfInstrument(props.of)
  return (
    <>
      <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="default" size="var(--bw-control)" aria-label="More actions">
            <IconDots size={16} stroke={1.8} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            c="var(--bw-danger)"
            leftSection={<IconTrash size={15} stroke={1.7} aria-hidden="true" />}
            onClick={() => setOpen(true)}
          >
            Delete {noun}…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isOpen && (
        <Dialog onClose={() => setOpen(false)} title={title} size={560}>
          <DeletionFields kind={props.kind} subject={subject} onDone={props.onDone} />
        </Dialog>
      )}
    </>
  )
}
