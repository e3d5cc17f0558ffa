import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ConnectInstrument } from '../../features/administration/connect-instrument.tsx'
import { GatewayList } from '../../features/administration/gateway-list.tsx'
import { GatewayPage } from '../../features/administration/gateway-page.tsx'
import { mayEnterBackoffice } from '../../features/backoffice/backoffice-parts.ts'
import { featuresQuery, meQuery } from '../../features/users/users.api.ts'
import { readListSearch, writeListSearch } from '../../lib/list/list-address.ts'
import { Breadcrumb, PageHeader } from '../../ui/layout/page-frame.tsx'
import { LinkButton } from '../../ui/overlay/blocked-button.tsx'

/** /administration/gateways */
export function GatewaysScreen() {
  const search = readListSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return (
    <>
      <PageHeader
        title="Gateways"
        note="Programs that report for the instruments near them, with their last report, sources and keys. Register new ones under Registry."
      />
      <GatewayList
        search={search}
        onSearch={(next) => void navigate({ to: '/administration/gateways', search: writeListSearch(next) })}
      />
    </>
  )
}

/** /administration/gateways/{name} */
export function GatewayScreen() {
  const gateway = useGateway()
  const me = useQuery(meQuery()).data
  const features = useQuery(featuresQuery()).data
  const mayRetry = me !== undefined && features !== undefined && mayEnterBackoffice(me.role, features)
  const search: Record<string, string> = useSearch({ strict: false })
  return (
    <GatewayPage
      key={gateway}
      gateway={gateway}
      crumbs={
        <Breadcrumb
          link={
            <Link to="/administration/gateways" search={search} activeOptions={{ exact: true }}>
              Gateways
            </Link>
          }
          current="Gateway"
        />
      }
      retry={
        mayRetry && (
          <LinkButton to="/backoffice" search={{ tool: 'parked', gateway }} variant="default">
            Open parked items
          </LinkButton>
        )
      }
    />
  )
}

/** /administration/gateways/{name}/connect: writes the gateway's file for a first instrument. */
export function ConnectInstrumentScreen() {
  const gateway = useGateway()
  return (
    <>
      <PageHeader
        crumbs={
          <Breadcrumb
            link={
              <Link to="/administration/gateways/$gateway" params={{ gateway }} activeOptions={{ exact: true }}>
                {gateway}
              </Link>
            }
            current="Connect an instrument"
          />
        }
        title="Connect an instrument"
        note="Choose how the instrument reports. The file defines where the gateway listens and what each message means."
      />
      <ConnectInstrument key={gateway} gateway={gateway} />
    </>
  )
}

function useGateway(): string {
  const { gateway = '' } = useParams({ strict: false })
  return gateway
}
