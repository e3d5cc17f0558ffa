/**
 * The customers' sites: real cities with the position of a business district and invented house numbers. A site
 * without a position has not been located yet.
 */
export interface SiteSketch {
  customer: string
  /** Three letters; gateways are named GW-<code>-01 and so on. */
  code: string
  street: string
  zip: string
  city: string
  country: string
  region: 'EMEA' | 'Americas' | 'APAC'
  subRegion: string
  position: readonly [latitude: number, longitude: number] | null
  timeZone: string
}

type Place = readonly [
  code: string,
  street: string,
  zip: string,
  city: string,
  latitude: number | null,
  longitude: number | null,
]

const nordics = { region: 'EMEA', subRegion: 'Nordics' } as const
const dach = { region: 'EMEA', subRegion: 'DACH' } as const
const benelux = { region: 'EMEA', subRegion: 'Benelux' } as const
const islands = { region: 'EMEA', subRegion: 'UK&I' } as const
const cee = { region: 'EMEA', subRegion: 'CEE' } as const
const northAmerica = { region: 'Americas', subRegion: 'North America' } as const
const latinAmerica = { region: 'Americas', subRegion: 'Latin America' } as const
const apac = (subRegion: string) => ({ region: 'APAC', subRegion }) as const

const sweden = { ...nordics, country: 'Sweden', timeZone: 'Europe/Stockholm' }
const denmark = { ...nordics, country: 'Denmark', timeZone: 'Europe/Copenhagen' }
const germany = { ...dach, country: 'Germany', timeZone: 'Europe/Berlin' }
const switzerland = { ...dach, country: 'Switzerland', timeZone: 'Europe/Zurich' }
const austria = { ...dach, country: 'Austria', timeZone: 'Europe/Vienna' }
const netherlands = { ...benelux, country: 'Netherlands', timeZone: 'Europe/Amsterdam' }
const belgium = { ...benelux, country: 'Belgium', timeZone: 'Europe/Brussels' }
const ireland = { ...islands, country: 'Ireland', timeZone: 'Europe/Dublin' }
const britain = { ...islands, country: 'United Kingdom', timeZone: 'Europe/London' }
const france = { region: 'EMEA', subRegion: 'France', country: 'France', timeZone: 'Europe/Paris' } as const
const italy = { region: 'EMEA', subRegion: 'Italy', country: 'Italy', timeZone: 'Europe/Rome' } as const
const spain = { region: 'EMEA', subRegion: 'Iberia', country: 'Spain', timeZone: 'Europe/Madrid' } as const
const poland = { ...cee, country: 'Poland', timeZone: 'Europe/Warsaw' }
const eastCoast = { ...northAmerica, country: 'United States', timeZone: 'America/New_York' }
const westCoast = { ...northAmerica, country: 'United States', timeZone: 'America/Los_Angeles' }
const brazil = { ...latinAmerica, country: 'Brazil', timeZone: 'America/Sao_Paulo' }
const japan = { ...apac('Japan'), country: 'Japan', timeZone: 'Asia/Tokyo' }
const china = { ...apac('China'), country: 'China', timeZone: 'Asia/Shanghai' }
const australia = { ...apac('ANZ'), country: 'Australia' }

type Land = Omit<SiteSketch, 'customer' | 'code' | 'street' | 'zip' | 'city' | 'position'>

function at(customer: string, land: Land, places: readonly Place[]): SiteSketch[] {
  return places.map(([code, street, zip, city, latitude, longitude]) => ({
    customer,
    code,
    street,
    zip,
    city,
    ...land,
    position: latitude === null || longitude === null ? null : [latitude, longitude],
  }))
}

export const siteSketches: readonly SiteSketch[] = [
  ...at('helix-biologics', sweden, [
    ['UPP', 'Björkgatan 30', '753 23', 'Uppsala', 59.85178, 17.65892],
    ['STO', 'Nobels väg 12', '171 65', 'Solna', 59.34802, 18.0267],
    ['UME', 'Tvistevägen 48', '907 36', 'Umeå', 63.81921, 20.31544],
  ]),
  ...at('helix-biologics', germany, [
    ['HEI', 'Im Neuenheimer Feld 582', '69120', 'Heidelberg', 49.41794, 8.66912],
    ['PEN', 'Nonnenwald 21', '82377', 'Penzberg', 47.75911, 11.3837],
  ]),
  ...at('helix-biologics', eastCoast, [
    ['BOS', '610 Main Street', '02139', 'Cambridge', 42.36372, -71.09672],
    ['RAL', '4011 Hopson Road', '27560', 'Morrisville', 35.85411, -78.8416],
  ]),
  ...at('novara-therapeutics', switzerland, [
    ['BSL', 'Klybeckstrasse 141', '4057', 'Basel', 47.57142, 7.58893],
    ['VIS', 'Rottenstrasse 6', '3930', 'Visp', 46.29913, 7.87651],
    ['ZRH', 'Wagistrasse 23', '8952', 'Schlieren', 47.40101, 8.44472],
  ]),
  ...at('novara-therapeutics', italy, [
    ['MIL', 'Via Olgettina 58', '20132', 'Milan', 45.50641, 9.26572],
    ['SIE', 'Via Fiorentina 1', '53100', 'Siena', 43.33711, 11.30992],
  ]),
  ...at('novara-therapeutics', austria, [['VIE', 'Helmut-Qualtinger-Gasse 2', '1030', 'Vienna', 48.18664, 16.40361]]),
  ...at('delta-bioprocess', netherlands, [
    ['LEI', 'Zernikedreef 9', '2333 CK', 'Leiden', 52.16723, 4.46791],
    ['DEL', 'Alexander Fleminglaan 1', '2613 AX', 'Delft', 52.01011, 4.33502],
    ['GRO', 'Zuiderweg 72', '9744 AP', 'Groningen', 53.20862, 6.50983],
  ]),
  ...at('delta-bioprocess', spain, [['BCN', 'Carrer de Baldiri Reixac 10', '08028', 'Barcelona', 41.38132, 2.11711]]),
  ...at('delta-bioprocess', belgium, [['GNE', 'Technologiepark 66', '9052', 'Ghent', 51.01361, 3.71192]]),
  ...at('emerald-cell-works', ireland, [
    ['ORK', 'Carrigtwohill Business Park 4', 'T45 DP77', 'Cork', 51.91122, -8.26371],
    ['DUB', 'Grange Castle Avenue 11', 'D22 V8F8', 'Dublin', 53.31961, -6.42382],
    ['LIM', 'Raheen Business Park 15', 'V94 8AX2', 'Limerick', 52.62411, -8.66972],
    ['SLI', 'Finisklin Road 7', 'F91 N7WE', 'Sligo', null, null],
  ]),
  ...at('emerald-cell-works', britain, [['STV', 'Gunnels Wood Road 33', 'SG1 2FX', 'Stevenage', 51.88831, -0.21122]]),
  ...at('oresund-pharma', denmark, [
    ['COP', 'Ole Maaløes Vej 3', '2200', 'Copenhagen', 55.70152, 12.55981],
    ['HIL', 'Brennum Park 24', '3400', 'Hillerød', 55.94911, 12.29432],
    ['ODE', 'Cortex Park 26', '5230', 'Odense', 55.36892, 10.42471],
  ]),
  ...at('oresund-pharma', sweden, [
    ['LUN', 'Scheelevägen 22', '223 63', 'Lund', 55.71882, 13.22651],
    ['MMA', 'Per Albin Hanssons väg 41', '205 12', 'Malmö', 55.58462, 13.00871],
  ]),
  ...at('rhone-vaccines', france, [
    ['LYO', 'Avenue Tony Garnier 24', '69007', 'Lyon', 45.72972, 4.83181],
    ['MAR', 'Avenue Marcel Mérieux 51', '69280', "Marcy-l'Étoile", 45.78291, 4.71142],
    ['GNB', 'Rue Henri Barbusse 9', '38000', 'Grenoble', 45.18231, 5.73412],
    ['STR', 'Boulevard Sébastien Brant 30', '67400', 'Illkirch', 48.52442, 7.73691],
    ['NTE', 'Rue de la Géraudière 18', '44300', 'Nantes', 47.26172, -1.57362],
  ]),
  ...at('wisla-biotech', poland, [
    ['WAW', 'ulica Wołoska 7', '02-675', 'Warsaw', 52.18142, 21.00271],
    ['LCJ', 'ulica Dubois 114', '93-465', 'Łódź', 51.70642, 19.47391],
    ['KRK', 'ulica Bobrzyńskiego 14', '30-348', 'Kraków', 50.02682, 19.90372],
    ['GDN', 'ulica Trzy Lipy 3', '80-172', 'Gdańsk', 54.35381, 18.58261],
  ]),
  ...at('tidewater-biosciences', eastCoast, [
    ['BOS', '45 Sidney Street', '02139', 'Cambridge', 42.35901, -71.10142],
    ['PHL', '3675 Market Street', '19104', 'Philadelphia', 39.95612, -75.19521],
    ['GAI', '9801 Washingtonian Boulevard', '20878', 'Gaithersburg', 39.11572, -77.20081],
    ['NOR', '601 Children’s Lane', '23507', 'Norfolk', 36.86182, -76.30201],
  ]),
  ...at('tidewater-biosciences', westCoast, [
    ['SAN', '10578 Science Center Drive', '92121', 'San Diego', 32.89642, -117.22811],
    ['SSF', '259 East Grand Avenue', '94080', 'South San Francisco', 37.65521, -122.39822],
    ['SEA', '1616 Eastlake Avenue East', '98102', 'Seattle', 47.63422, -122.32491],
  ]),
  ...at('konan-seiyaku', japan, [
    ['KOB', '港島南町 6-7-5', '650-0047', '神戸', 34.65832, 135.21802],
    ['OSA', '彩都あさぎ 7-7-18', '567-0085', 'Ibaraki, Osaka', 34.85912, 135.50492],
    ['TSU', '観音台 2-1-8', '305-0856', 'Tsukuba', 36.02511, 140.10472],
    ['TOY', '興人町 2-178', '930-0982', 'Toyama', 36.72401, 137.23631],
    ['KWS', '殿町 3-25-10', '210-0821', 'Kawasaki', 35.54181, 139.75492],
  ]),
  ...at('yunling-biopharma', china, [
    ['SHA', '张江路 1238号', '201203', 'Shanghai', 31.20361, 121.59802],
    ['SZV', '星湖街 218号', '215123', '苏州', 31.26142, 120.73621],
    ['WUX', '梅梁路 88号', '214092', 'Wuxi', 31.48611, 120.26852],
    ['CAN', '开源大道 288号', '510530', 'Guangzhou', 23.17132, 113.49341],
    ['KMG', '科高路 2188号', '650106', '昆明', null, null],
  ]),
  ...at('jacaranda-imunobiologicos', brazil, [
    ['SAO', 'Avenida Vital Brasil 1500', '05503-900', 'São Paulo', -23.56782, -46.71892],
    ['RIO', 'Avenida Brasil 4365', '21040-900', 'Rio de Janeiro', -22.87561, -43.24491],
    ['CNF', 'Rua Conde Pereira Carneiro 80', '30510-010', 'Belo Horizonte', -19.92822, -43.98631],
  ]),
  ...at(
    'jacaranda-imunobiologicos',
    { ...latinAmerica, country: 'Argentina', timeZone: 'America/Argentina/Buenos_Aires' },
    [['BUE', 'Calle Pedro de Mendoza 1950', 'C1169', 'Buenos Aires', -34.63931, -58.36022]],
  ),
  ...at('jacaranda-imunobiologicos', { ...latinAmerica, country: 'Chile', timeZone: 'America/Santiago' }, [
    ['SCL', 'Avenida Marathon 1000', '7780050', 'Santiago', -33.46792, -70.61481],
  ]),
  ...at('banksia-biologics', { ...australia, timeZone: 'Australia/Melbourne' }, [
    ['MEL', '343 Royal Parade', '3052', 'Parkville', -37.78331, 144.95702],
  ]),
  ...at('banksia-biologics', { ...australia, timeZone: 'Australia/Brisbane' }, [
    ['BNE', '37 Kent Street', '4102', 'Woolloongabba', -27.49812, 153.03261],
  ]),
  ...at('banksia-biologics', { ...australia, timeZone: 'Australia/Adelaide' }, [
    ['ADL', '28 Dalgleish Street', '5031', 'Thebarton', -34.91481, 138.57081],
  ]),
]
