import theme from 'vitepress/theme-without-fonts'
import '../../../web/src/styles/tokens.css'
import '../../../web/src/styles/font.css'
import './look.css'

export default theme
