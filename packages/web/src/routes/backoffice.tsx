import { Box, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { backofficeParts, mayEnterBackoffice, readBackofficePlace } from '../features/backoffice/backoffice-parts.ts'
import { DeleteForGood } from '../features/backoffice/delete-for-good.tsx'
import { deletableKinds } from '../features/backoffice/deletions.tsx'
import { FeedState } from '../features/backoffice/feed/feed-state.tsx'
import { HeldBackEvents } from '../features/backoffice/feed/held-back-events.tsx'
import { ParkedItems } from '../features/backoffice/feed/parked-items.tsx'
import { InstrumentContacts } from '../features/backoffice/instrument-contacts.tsx'
import { StackedTools } from '../features/backoffice/stacked-tools.tsx'
import { featuresQuery, meQuery } from '../features/users/users.api.ts'
import { PageHeader, PartLinks } from '../ui/layout/page-frame.tsx'
import { EmptyState, ErrorState } from '../ui/text/notice.tsx'
import { ForbiddenScreen } from './forbidden.tsx'

/** /backoffice: for users with the flag BACKOFFICE, except customers; `?tool=` names the part or a tool in it. */
export function BackofficeScreen() {
  const me = useQuery(meQuery())
  const features = useQuery(featuresQuery())
  const search: { tool?: string; gateway?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const failed = [me, features].find(({ data, isPending }) => data === undefined && !isPending)
  if (failed)
    return (
      <ErrorState title="Could not get user" onRetry={() => void Promise.all([me.refetch(), features.refetch()])}>
        {failed.error?.message}
      </ErrorState>
    )
  if (me.data === undefined || features.data === undefined) return <Box mih="60vh" aria-busy="true" />
  if (!mayEnterBackoffice(me.data.role, features.data))
    return <ForbiddenScreen reason={me.data.role === 'customer' ? 'role' : 'flag'} />

  const { part, tool } = readBackofficePlace(search.tool)
  const kinds = deletableKinds(me.data.role, features.data)
  const parts = backofficeParts.filter((each) => each.part !== 'delete' || kinds.length > 0)
  return (
    <Stack gap={14}>
      <PageHeader title="Back office" note="Manual entries and items that need attention." />
      <PartLinks label="Back office">
        {parts.map((each) => (
          <Link
            key={each.part}
            to="/backoffice"
            search={each.part === 'tools' ? {} : { tool: each.part }}
            // The router does not know that a tool or gateway belongs to a part.
            activeOptions={{ exact: true }}
            aria-current={each.part === part ? 'page' : undefined}
          >
            {each.label}
          </Link>
        ))}
      </PartLinks>
      {part === 'tools' && <StackedTools tool={tool} />}
      {part === 'feed' && <FeedState />}
      {part === 'parked' && (
        <ParkedItems
          gateway={search.gateway ?? ''}
          onGateway={(gateway) =>
            void navigate({ to: '/backoffice', search: { tool: 'parked', ...(gateway !== '' && { gateway }) } })
          }
        />
      )}
      {part === 'held-back' && <HeldBackEvents />}
      {part === 'contacts' && <InstrumentContacts />}
      {part === 'delete' &&
        (kinds.length > 0 ? (
          <DeleteForGood kinds={kinds} />
        ) : (
          <EmptyState title="Nothing can be deleted here">
            An administrator can allow it with the flags whose names begin with ALLOW.
          </EmptyState>
        ))}
    </Stack>
  )
}
