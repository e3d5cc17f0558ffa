import type { OwnSession } from '@benchwatch/contract/account'
import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { agePhrase } from '../../lib/age.ts'
import { formatEventTime } from '../../lib/dates.ts'
import { call } from '../../lib/http.ts'
import { signOut } from '../../lib/session/session.ts'
import { Card } from '../../ui/card.tsx'
import { confirm } from '../../ui/confirm-store.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { showFailure, showSuccess } from '../../ui/toasts.ts'
import { accountKeys, sessionsQuery } from './account.api.ts'
import styles from './account.module.css'
import { accountMessage } from './account-messages.ts'
import { deviceOf } from './device-name.ts'

/** Every browser in which the person is signed in, each of which can be signed out from here. */
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
        <ul className={styles.list}>
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} now={sessions.dataUpdatedAt} />
          ))}
        </ul>
      ) : sessions.isError ? (
        <ErrorState title="Could not get sessions" onRetry={() => void sessions.refetch()}>
          {sessions.error.message}
        </ErrorState>
      ) : (
        <div className={styles.row}>
          <SkeletonLine width="220px" />
        </div>
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
    onSettled: () => client.invalidateQueries({ queryKey: accountKeys.sessions }),
  })
  const facts = [
    session.isCurrent
      ? 'Active now'
      : `Last active ${agePhrase(session.lastActivityAt, now).replace('Now', 'just now')}`,
    `signed in ${formatEventTime(session.createdAt)}`,
    session.address,
  ]
  return (
    <li className={styles.row}>
      <Icon className={styles.device} size={22} stroke={1.6} aria-hidden="true" />
      <div className={styles.what}>
        <p className={styles.name}>
          <span title={session.userAgent ?? undefined}>{name}</span>
          {session.isCurrent && <span className={styles.here}>This browser</span>}
        </p>
        <p className={styles.hint}>{facts.filter((fact) => fact !== null).join(' · ')}</p>
      </div>
      {!session.isCurrent && (
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate()} aria-label={`Sign out ${name}`}>
          Sign out
        </Button>
      )}
    </li>
  )
}

async function signOutEverywhere(): Promise<void> {
  const question = {
    message: 'Sign out in every browser, also in this one?',
    confirmLabel: 'Sign out everywhere',
    isDestructive: true,
  }
  if (!(await confirm(question))) return
  await signOut({ everywhere: true }).catch((error: unknown) =>
    showFailure({ title: 'The server did not hear the sign-out', message: accountMessage(error) }),
  )
}
