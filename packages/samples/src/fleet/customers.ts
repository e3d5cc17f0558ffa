/** The twelve invented customers. Their sites are in sites.ts. */
export interface CustomerSketch {
  key: string
  name: string
  mailDomain: string
  /** Share of the fleet. */
  weight: number
  tierOne: boolean
  /** Name pool of the employees, see names.ts. */
  people: 'nordic' | 'english' | 'french' | 'polish' | 'dutch' | 'italian' | 'latin' | 'japanese' | 'chinese'
}

export const customerSketches: readonly CustomerSketch[] = [
  {
    key: 'helix-biologics',
    name: 'Helix Biologics',
    mailDomain: 'helixbio.example',
    weight: 15,
    tierOne: true,
    people: 'nordic',
  },
  {
    key: 'novara-therapeutics',
    name: 'Novara Therapeutics',
    mailDomain: 'novara-tx.example',
    weight: 11,
    tierOne: true,
    people: 'italian',
  },
  {
    key: 'delta-bioprocess',
    // "Delta Bioprocess", a company from the Gulf with laboratories in the Low Countries.
    name: 'دلتا للعمليات الحيوية',
    mailDomain: 'deltabioprocess.example',
    weight: 9,
    tierOne: false,
    people: 'dutch',
  },
  {
    key: 'emerald-cell-works',
    name: 'Emerald Cell Works',
    mailDomain: 'emeraldcell.example',
    weight: 7,
    tierOne: false,
    people: 'english',
  },
  {
    key: 'oresund-pharma',
    name: 'Øresund Pharma',
    mailDomain: 'oresundpharma.example',
    weight: 8,
    tierOne: true,
    people: 'nordic',
  },
  {
    key: 'rhone-vaccines',
    name: 'Rhône Vaccines',
    mailDomain: 'rhone-vaccines.example',
    weight: 8,
    tierOne: false,
    people: 'french',
  },
  {
    key: 'wisla-biotech',
    name: 'Wisła Biotech',
    mailDomain: 'wislabiotech.example',
    weight: 6,
    tierOne: false,
    people: 'polish',
  },
  {
    key: 'tidewater-biosciences',
    name: 'Tidewater Biosciences',
    mailDomain: 'tidewaterbio.example',
    weight: 12,
    tierOne: true,
    people: 'english',
  },
  {
    key: 'konan-seiyaku',
    name: '港南製薬株式会社',
    mailDomain: 'konan-seiyaku.example',
    weight: 8,
    tierOne: true,
    people: 'japanese',
  },
  {
    key: 'yunling-biopharma',
    name: '云岭生物制药',
    mailDomain: 'yunlingbio.example',
    weight: 8,
    tierOne: false,
    people: 'chinese',
  },
  {
    key: 'jacaranda-imunobiologicos',
    name: 'Jacarandá Imunobiológicos',
    mailDomain: 'jacaranda-imuno.example',
    weight: 5,
    tierOne: false,
    people: 'latin',
  },
  {
    key: 'banksia-biologics',
    name: 'Banksia Biologics',
    mailDomain: 'banksiabio.example',
    weight: 3,
    tierOne: false,
    people: 'english',
  },
]
