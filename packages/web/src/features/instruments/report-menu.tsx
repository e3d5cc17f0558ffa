import { Button, Menu } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { Chevron } from '../../ui/chevron.tsx'

const reports = [
  { type: 'fe', name: 'Field Engineer (FE)' },
  { type: 'qs', name: 'Qualification Services (QS)' },
] as const

/** The System Report of an instrument in a new tab, of one of its two types. */
export function ReportMenu({ instrumentId }: { instrumentId: string }) {
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconFileText size={15} stroke={1.7} aria-hidden="true" />}
          rightSection={<Chevron to="down" />}
        >
          Select report type
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label="System Report">
        {reports.map(({ type, name }) => (
          <Menu.Item
            key={type}
            component="a"
            href={`/report/${encodeURIComponent(instrumentId)}?reportType=${type}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
