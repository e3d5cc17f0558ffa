import type { OwnSession } from '@benchwatch/contract/users/account'
import { Badge, Box, Button, Group, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'
import { signOut } from '../../lib/session/session.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { agePhrase } from '../../lib/time/duration.ts'
import { Card } from '../../ui/layout/card.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { FailedQuery } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { accountMessage, sessionsQuery } from './account.api.ts'
import styles from './account.module.css'

/**
 * Patterns that name a browser in a user agent, as in `Chrome on Windows`. A rough name is enough for users to
 * recognise their own devices. Order matters: most browsers also claim to be the ones below them.
 */
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*Safari\//, 'Safari'],
]

const systems: [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

interface Device {
  name: string
  isHandheld: boolean
}

/** Lists the user's sessions. Each can be signed out. */
export function SessionsCard() {
  const sessions = useQuery(sessionsQuery())
  return (
    <Card
      title="Signed-in sessions"
      end={
        <Button variant="default" size="compact-sm" onClick={() => void signOutEverywhere()}>
          Sign out everywhere
        </Button>
      }
    >
      {sessions.data !== undefined ? (
        <Box component="ul" m={0} p={0}>
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} now={sessions.dataUpdatedAt} />
          ))}
        </Box>
      ) : sessions.isError ? (
        <FailedQuery title="Could not get sessions" query={sessions} />
      ) : (
        <SkeletonLine width="220px" />
      )}
    </Card>
  )
}

function SessionRow({ session, now }: { session: OwnSession; now: number }) {
  const client = useQueryClient()
  const { name, isHandheld } = deviceOf(session.userAgent)
  const Icon = isHandheld ? IconDeviceMobile : IconDeviceDesktop
  const end = useMutation({
    mutationFn: () => call('endMySession', { params: { id: session.id } }),
    onSuccess: () => showSuccess({ title: 'Signed out', message: name }),
    onError: (error) => showFailure({ title: 'Could not sign out', message: accountMessage(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery().queryKey }),
  })
  const facts = [
    session.isCurrent
      ? 'Active now'
      : `Last active ${agePhrase(session.lastActivityAt, now).replace('Now', 'just now')}`,
    `signed in ${formatEventTime(session.createdAt)}`,
    session.address,
  ]
  return (
    <Group component="li" justify="space-between" gap="8px 14px" className={styles.row}>
      <Icon size={22} stroke={1.6} color="var(--bw-ink-3)" aria-hidden="true" />
      <Box flex="1 1 170px" miw={0}>
        <Group gap="3px 10px" fw={560}>
          <span title={session.userAgent ?? undefined}>{name}</span>
          {session.isCurrent && <Badge variant="light">This browser</Badge>}
        </Group>
        <Text c="dimmed">{facts.filter((fact) => fact !== null).join(' · ')}</Text>
      </Box>
      {!session.isCurrent && (
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate()} aria-label={`Sign out ${name}`}>
          Sign out
        </Button>
      )}
    </Group>
  )
}

async function signOutEverywhere(): Promise<void> {
  const question = {
    message: 'Sign out of all browsers, including this one?',
    confirmLabel: 'Sign out everywhere',
    isDestructive: true,
  }
  if (!(await confirm(question))) return
  await signOut({ everywhere: true }).catch((error: unknown) =>
    showFailure({ title: 'The server was not notified of the sign-out', message: accountMessage(error) }),
  )
}

export function deviceOf(userAgent: string | null): Device {
  const found = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = found(browsers)
  const system = found(systems)
  const isHandheld = /\b(iPhone|iPad|Android|Mobile)\b/.test(userAgent ?? '')
  if (browser === undefined) return { name: system ?? 'Unknown device', isHandheld }
  return { name: system === undefined ? browser : `${browser} on ${system}`, isHandheld }
}
