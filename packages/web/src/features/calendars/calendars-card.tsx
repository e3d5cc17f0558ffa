import type { Calendar } from '@benchwatch/contract/instruments/calendars'
import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { formatEventDate, formatEventTime } from '../../lib/time/dates.ts'
import { Card } from '../../ui/layout/card.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { SecretDialog } from '../../ui/overlay/secret-dialog.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { FailedQuery } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { calendarsQuery, useRevokeCalendar } from './calendars.api.ts'
import { contentLabels, NewCalendarDialog } from './new-calendar-dialog.tsx'

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
