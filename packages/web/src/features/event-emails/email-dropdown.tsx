import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { Badge } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { eventName } from '../../lib/screen-name.ts'
import { Dropdown, PanelLoading } from '../../ui/overlay/dropdown.tsx'
import { eventEmailsQuery } from './event-emails.api.ts'

const loadList = () => import('./email-list.tsx')
const EmailList = lazy(() => loadList().then((file) => ({ default: file.EmailList })))

/** The e-mail dropdown: e-mails about the event and their recipients. Read when the dropdown opens. */
export function EmailDropdown({ event, shortcut }: { event: ServiceEvent; shortcut?: string }) {
  const { data: emails } = useQuery({ ...eventEmailsQuery(event), enabled: false })
  // Until e-mails are read, the event itself shows whether there was a support e-mail.
  const count = emails?.length ?? (event.automaticEmail === null ? 0 : 1)
  return (
    <Dropdown
      title={`E-mails about ${eventName(event)}`}
      icon={<IconMail size={15} stroke={1.7} aria-hidden="true" />}
      mark={
        count > 0 && (
          <Badge component="span" variant="light" size="sm" circle={count < 10}>
            {count}
          </Badge>
        )
      }
      align="end"
      {...(shortcut !== undefined && { shortcut })}
      width={440}
      preload={loadList}
      panel={() => (
        <Suspense fallback={<PanelLoading height={96} />}>
          <EmailList event={event} />
        </Suspense>
      )}
    >
      E-mail
    </Dropdown>
  )
}
