import { wordSet } from '../values/text.ts'

/**
 * Everyday English words in the form of `nameKey`, also names of artists; written by hand, not
 * counted.
 */
export const COMMON_WORDS: ReadonlySet<string> = wordSet(`
a an and or but nor if so as at by for from in into of off on onto out over to up with without
within under upon about above across after against along among around before behind below beneath
beside besides between beyond despite down during except inside like near outside past since than
then through throughout till toward towards until via the this that these those here there where
when while who whom whose which what why how all any both each either every few many more most much
neither no none not one other others own same several some such another again ago almost already
also although always am are be became because become been being can cannot could did do does doing
done dont else even ever everyone everything everybody far get gets getting go goes going gone got
had has have having he her hers herself him himself his however i im its it itself ive just keep kept
know known last later least less let lets long made make makes making may maybe me mean might mine
must my myself never next nobody nothing now often once only our ours ourselves perhaps quite rather
really said say says see seem seems seen shall she should somebody someone something sometimes
somewhere soon still take taken takes tell thank thanks thats their them themselves they thing things
think though thought thus together too took try trying us use used uses using very want wants was way
ways we well went were whatever whether will would wow yes yet you your yours yourself youth
zero two three four five six seven eight nine ten eleven twelve hundred thousand million first
second third half double single pair
monday tuesday wednesday thursday friday saturday sunday january february march april june july
august september october november december today tomorrow tonight yesterday morning noon afternoon
evening night midnight day days week weeks month months year years decade century hour hours minute
minutes moment time times spring summer autumn fall winter season
man men woman women boy boys girl girls child children kid kids baby father mother dad mum mom
brother brothers sister sisters son daughter family friend friends lover lovers wife husband king
kings queen queens prince princess lord lady sir miss doctor nurse soldier soldiers teacher police
people person human humans crowd folk folks nation nations
head face eye eyes ear ears nose mouth tooth teeth hand hands arm arms leg legs foot feet heart blood
bone bones body skin hair brain mind soul spirit ghost ghosts angel angels devil god gods
red orange yellow green blue purple violet pink white black grey gray brown gold golden silver
copper bronze color colour dark light bright shadow shade
sun moon star stars sky air wind rain snow ice storm thunder lightning cloud clouds fog fire flame
smoke ash dust earth world land ground sand stone stones rock rocks mountain mountains hill hills
river rivers lake sea ocean wave waves beach island islands forest wood woods tree trees leaf leaves
grass flower flowers rose roses lily garden field fields desert valley cave water
dog dogs cat cats horse horses bird birds fish wolf wolves fox lion lions tiger bear bears eagle
eagles crow crows dove swan owl monkey monkeys spider snake bee bees bug bugs beetle animal animals
house home room door window wall floor roof kitchen bed chair table street streets road roads avenue
lane bridge city town village country state states church school college hospital prison palace
castle tower station hotel bar club store shop market park theatre cinema
car cars truck bus train trains plane ship boat bike wheel wheels engine engines machine machines
radio phone television camera computer film movie book books page paper letter letters word words
story news magazine song songs band bands music sound sounds noise voice voices beat beats rhythm
tune note notes album record records tape disc single track dance dancing concert tour stage show
guitar bass drum drums piano violin horn bell bells
game games play player team race win winner lose lost loser fight war peace army battle gun bullet
bomb knife sword weapon kill killer killers murder death dead die alive life live living birth born
love loving hate hope fear joy pain pleasure anger pride shame doubt faith trust truth lie lies
secret secrets dream dreams sleep wake sense reason idea question answer problem mistake trouble
danger safe free freedom power force control order law justice crime money cash price bank rich poor
work job business company office boss market trade
big small little large great high low tall short wide narrow deep thin thick heavy light hot cold
warm cool wet dry new old young early late good better best bad worse worst right wrong true false
real fake clean dirty hard soft easy fast quick slow loud quiet strong weak sharp smooth rough sweet
bitter fresh clear full empty open closed whole broken simple plain strange weird wild mad crazy sane
happy sad glad sorry lonely alone brave kind cruel nice fine pretty ugly beautiful lovely perfect
special public private secret
bread butter sugar salt honey milk cream coffee tea wine beer cake chocolate candy apple cherry lemon
orange peach meat cheese egg soup dinner lunch breakfast
begin end start stop finish come coming leave left stay stand sit run running walk walking jump move
turn fly flying swim drive ride ran rise rising drop hit kick kiss hold touch feel feeling look see
watch hear listen speak talk call cry laugh smile sing write read learn teach build break cut burn
burning wash wear carry catch throw push pull give find found lose show hide seek wait follow lead
help save need miss share change grow meet marry pay buy sell cost send bring put set
place point line lines side top bottom front back edge center centre middle north south east west
left right corner circle square ring cross round part piece level number letter name names sign
signal mark shape form type style fashion model picture image art artist artists mirror glass metal
iron steel plastic paper silk cotton leather cloth shirt shoe shoes boots hat coat dress pocket bag
box bottle cup knife fork spoon plate clock key keys lock chain rope wire nail tool tools hammer
party holiday birthday wedding christmas vacation travel journey trip map passport stranger
suit blur hole bush garbage poison cure curse spell magic trick luck chance risk bet deal faces
museum library garage garden orchestra ensemble choir trio quartet group various unknown
system network internet site web link video audio online digital electric electronic atomic nuclear
chicago boston america europe asia africa london paris berlin japan china texas kansas alabama
england scotland ireland france germany italy spain russia canada mexico brazil cuba
`)

/** A name near them is most likely an artist. */
export const CUE_WORDS: ReadonlySet<string> = wordSet(`
album albums band bands bassist concert concerts cover covers debut dj drummer ep eps feat featuring
festival frontman frontwoman ft gig gigs guitarist headline headlined hit hits label lp lps lyrics
mixtape music musician musicians producer rapper record recorded records rehearsal release released
releases remix setlist sing singer singers sings single singles song songs songwriter stage supergroup
tour toured touring track tracks tracklist vinyl vocalist
`)

/** Written with a small letter within titles and names. */
export const SMALL_WORDS: ReadonlySet<string> = wordSet(
  'a an and as at by de der des die du el en et for from in la le los las n no of on or the to und van von with y',
)
