import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { GatewayKeys } from '../../features/administration/gateway-keys.tsx'
import { GatewayList } from '../../features/administration/gateway-list.tsx'
import { readListSearch, writeListSearch } from '../../lib/list/list-address.ts'
import { Breadcrumb, PageHeader } from '../../ui/layout/page-frame.tsx'

/** /administration/gateways */
export function GatewaysScreen() {
  const search = readListSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title="Gateways" note="Gateways that report for the instruments, and their keys." />
      <GatewayList
        search={search}
        onSearch={(next) => void navigate({ to: '/administration/gateways', search: writeListSearch(next) })}
      />
    </>
  )
}

/** /administration/gateways/{name}: its keys. */
export function GatewayKeysScreen() {
  const { gateway = '' } = useParams({ strict: false })
  const search: Record<string, string> = useSearch({ strict: false })
  return (
    <GatewayKeys
      key={gateway}
      gateway={gateway}
      crumbs={
        <Breadcrumb
          link={
            <Link to="/administration/gateways" search={search} activeOptions={{ exact: true }}>
              Gateways
            </Link>
          }
          current="Keys"
        />
      }
    />
  )
}
