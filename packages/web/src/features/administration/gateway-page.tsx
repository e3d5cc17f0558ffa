import { Stack } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { counted } from '../../lib/folded.ts'
import { isNotFound } from '../../lib/http.ts'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import { LinkButton } from '../../ui/overlay/blocked-button.tsx'
import { ErrorState } from '../../ui/text/notice.tsx'
import { useNow } from '../../ui/time/use-now.ts'
import { gatewayQuery } from './administration.api.ts'
import { GatewayKeys } from './gateway-keys.tsx'
import { Ago, GatewaySources } from './gateway-sources.tsx'

/** One gateway: its last report, its sources, and its keys. */
export function GatewayPage({ gateway, crumbs, retry }: { gateway: string; crumbs: ReactNode; retry: ReactNode }) {
  const { data, error } = useQuery(gatewayQuery(gateway))
  const now = useNow()
  if (isNotFound(error))
    return (
      <ErrorState title="This gateway does not exist">Check the address, or find the gateway in the list.</ErrorState>
    )
  return (
    <Stack gap={22}>
      <PageHeader
        crumbs={crumbs}
        title={gateway}
        // An empty line at first, so that the link does not move away from the pointer when the gateway is known.
        note={
          data === undefined ? (
            '\u00a0'
          ) : (
            <>
              <bdi>{data.customer}</bdi> · {data.site} · Last contact: <Ago at={data.lastContactAt} now={now} /> ·
              Version: {data.version ?? 'not reported'} · Backlog:{' '}
              {data.backlog === null ? 'not reported' : counted(data.backlog, 'item')}
            </>
          )
        }
      >
        <LinkButton
          to="/administration/gateways/$gateway/connect"
          params={{ gateway }}
          leftSection={<IconPlugConnected size={16} stroke={1.7} aria-hidden="true" />}
        >
          Connect an instrument
        </LinkButton>
      </PageHeader>
      <GatewaySources gateway={gateway} retry={retry} />
      <GatewayKeys gateway={gateway} />
    </Stack>
  )
}
