import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { kpiDashboardsQuery } from '../../features/kpi/kpi.api.ts'
import { navigation } from './navigation.ts'
import styles from './side-bar.module.css'

/** The areas of the console: icons at the side, at the bottom of a narrow screen. */
export function SideBar() {
  const allowed = { kpi: (useQuery(kpiDashboardsQuery()).data?.length ?? 0) > 0 }
  const areas = navigation.filter(({ needs }) => needs === undefined || allowed[needs])
  return (
    <nav className={styles.bar} aria-label="Areas">
      <div className={styles.links}>
        {areas.map(({ to, label, icon: AreaIcon }) => (
          <Link key={to} to={to} className={styles.link} activeProps={{ 'data-active': true }} title={label}>
            <AreaIcon size={20} stroke={1.7} aria-hidden="true" />
            <span className={styles.label}>{label}</span>
          </Link>
        ))}
      </div>
    </nav>
  )
}
