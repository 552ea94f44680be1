import type { HowTexts } from './enHow.ts'

/** The page "How it works" in German. */
export const deHow: HowTexts = {
  picture: 'Ihre Kosten bei jedem variablen Zins',
  order: 'Schritt für Schritt',
  steps: [
    {
      when: 'Heute',
      what: 'Sie zahlen einmalig die Kosten. Ihr Kredit bleibt, wo er ist.',
    },
    {
      when: 'Bis zum Laufzeitende',
      what: 'Ihre Schuld wächst weiter zum variablen Zins. Sie kann liquidiert werden. Ausgezahlt wird noch nichts.',
    },
    {
      when: 'Nach dem Laufzeitende',
      what: 'Sie erhalten die variablen Zinsen, die auf den festgeschriebenen Betrag angefallen sind, höchstens diesen Betrag. Abrechnen kann jeder, abheben nur Sie.',
    },
  ],
  risks: 'Risiken',
  riskList: [
    {
      risk: 'Der variable Zins bleibt niedrig.',
      meaning: 'Dann haben Sie mehr gezahlt als ohne Festzins. Die Kosten werden nicht erstattet.',
    },
    {
      risk: 'Ihr Kredit wird liquidiert.',
      meaning:
        'Der Festzins schützt Ihre Sicherheit nicht. Die Position bleibt Ihre und wird nach dem Laufzeitende ausgezahlt.',
    },
    {
      risk: 'Sie brauchen das Geld früher.',
      meaning: 'Vor dem Laufzeitende wird nichts ausgezahlt. Eine Position lässt sich nicht vorzeitig schließen.',
    },
    {
      risk: 'Die Verträge enthalten einen Fehler.',
      meaning: 'Es sind Referenzverträge ohne Audit. Setzen Sie nicht mehr ein, als Sie verlieren können.',
    },
  ],
  makers: 'Market Maker',
  makersText:
    'Ein Market Maker signiert ein Angebot. Nehmen Sie es an, sperrt der Vertrag bis zur Abrechnung so viel Geld des Makers, wie Sie festschreiben. Daraus kommt Ihre Auszahlung. Der Maker kann das Geld nicht vorher abziehen und die Zahlung nicht schuldig bleiben. Wie hoch sie ist, bestimmt der Zinsindex des Kreditprotokolls.',
  service: 'Was Firmquote kann und was nicht',
  can: 'Firmquote kann',
  canList: [
    'Angebote einholen und Ihnen zeigen',
    'auf der Blockchain prüfen, ob ein Angebot angenommen werden kann',
    'angefragte Beträge sehen und Angebote auslassen',
  ],
  cannot: 'Firmquote kann nicht',
  cannotList: [
    'Ihr Geld verwahren oder bewegen',
    'für Sie ein Angebot annehmen: Sie bestätigen in Ihrer Wallet',
    'ein signiertes Angebot oder eine offene Position ändern',
  ],
  proofs: 'Nachweis darüber prüfen, was es getan hat',
  contracts: 'Verträge und Adressen',
  contractNames: {
    quoteMarket: { name: 'QuoteMarket', purpose: 'nimmt Angebote an; Ihre Freigaben gelten für diesen Vertrag' },
    interestRatePool: { name: 'InterestRatePool', purpose: 'hält die Positionen und das Geld darin' },
    bundler3: { name: 'Bundler3', purpose: 'fasst mehrere Schritte zu einer Transaktion zusammen' },
    keeperBundler: { name: 'KeeperBundler', purpose: 'rechnet viele Positionen auf einmal ab' },
  },
  payoff: {
    example: (amount, time, cost) => `Beispiel: ${amount} für ${time}, festgeschrieben für ${cost}.`,
    slider: 'Durchschnittlicher variabler Zins (APY) bis zum Laufzeitende',
    average: 'Variabler Zins im Schnitt',
    withFixing: 'Mit Festzins',
    withoutFixing: 'Ohne Festzins',
    cost: 'Kosten, mit den Zinsen, die sie sonst gespart hätten',
    interest: 'Zinsen auf Ihre Schuld',
    payout: 'Ihre Auszahlung',
    total: 'Summe',
    fixed: 'mit Festzins',
    floating: 'ohne',
    plot: 'Gesamtkosten am Laufzeitende nach durchschnittlichem variablem Zins',
    breakEven: (rate) => `Der Festzins lohnt sich, wenn der variable Zins im Schnitt über ${rate} liegt.`,
    said: (rate, fixed, floating) => `Variabler Zins im Schnitt ${rate}: ${fixed} mit Festzins, ${floating} ohne`,
  },
}
