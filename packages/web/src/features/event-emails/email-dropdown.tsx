import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { Button, Popover } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import styles from './email-list.module.css'
import { eventEmailsQuery } from './event-emails.api.ts'

const EmailList = lazy(() => import('./email-list.tsx').then((file) => ({ default: file.EmailList })))

/** The e-mail dropdown: what was mailed about the event and to whom. It is read when the dropdown opens. */
export function EmailDropdown({ event }: { event: ServiceEvent }) {
  const [isOpen, setOpen] = useState(false)
  const emails = useQuery({ ...eventEmailsQuery(event), enabled: isOpen })
  // Until they are read, the one that the event itself tells of.
  const count = emails.data?.length ?? (event.automaticEmail === null ? 0 : 1)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width="min(440px, calc(100vw - 24px))"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconMail size={15} stroke={1.7} aria-hidden="true" />}
          onClick={() => setOpen(!isOpen)}
        >
          E-mail{count > 0 && <span className={styles.count}>{count}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={`E-mails about ORC-${event.eventId}`}>
        {isOpen && (
          <Suspense fallback={<div className={styles.loading} role="status" aria-label="Loading" />}>
            <EmailList emails={emails.data} hasFailed={emails.isError} onRetry={() => void emails.refetch()} />
          </Suspense>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
