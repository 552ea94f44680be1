import theme from 'vitepress/theme-without-fonts'
import '../../../web/src/styles/tokens.css'
import '../../../web/src/styles/font.css'
import './look.css'
import { SiteLayout } from './siteLayout.ts'

export default { extends: theme, Layout: SiteLayout }
