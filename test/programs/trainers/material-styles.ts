import { stylesOf } from './rhythm-styles.ts'

/**
 * Styles of produced music, and those whose beat is hard to find: riffs off the beat, drums at half
 * or twice the tempo, no drums at all, metres of 2, 3, 5, 6 and 7. Their form is that of
 * `rhythm-styles.ts`. Compound metres are counted by their dotted quarter from 44 BPM on, below by
 * their eighths, in six; metres in seven and five by what is between 100 and 215 BPM.
 */
const BOOK = `
techno: 124-148, 4 beats, calm, electronic, weight 3
  kick xxxx
  hat ..x...x...x...x. xxxxxxxxxxxxxxxx x.xxx.xxx.xxx.xx -
  openhat .x.x.x.x -
  clap .x.x - ....x..x....x...
  rim ...x..x....x..x. x..x..x..x..x... -
  bass ..x...x...x...x. .xxx.xxx.xxx.xxx x..x..x...x..x.. xxxxxxxxxxxxxxxx
  broken x..x..x..x..x... xoxxoxxoxxoxxoxo -
  pad x -
off-beat house: 116-130, 4 beats, even, electronic, weight 3
  kick xxxx
  openhat .x.x.x.x
  clap .x.x -
  shaker xoxoxoxoxoxoxoxo -
  bass .x.x.x.x ..x...x...x...xx x..x..x...x..x..
  chords ..x..x....x..x.. .x.x.x.x x..x..x...x..x.. ...x..x....x..x.
  pad x -
psychedelic trance: 138-150, 4 beats, running, electronic, weight 2
  kick xxxx
  hat .x.x.x.x ..x...x...x...x.
  clap .x.x -
  bass .xxx.xxx.xxx.xxx ..xx..xx..xx..xx
  broken xoxxoxxoxxoxxoxo x.xx.xx.x.xx.xx. -
  pad x -
eurodance: 126-152, 4 beats, even, electronic, weight 2
  kick xxxx
  openhat .x.x.x.x
  clap .x.x
  bass .x.x.x.x .xxx.xxx.xxx.xxx
  chords x..x..x.x..x..x. x..x..x...x.x... .x.x.x.x
  broken xoxoxoxoxoxoxoxo -
  pad x -
hardstyle: 146-165, 4 beats, even, electronic
  kick xxxx
  clap .x.x -
  bass .x.x.x.x .xxx.xxx.xxx.xxx
  broken x..x..x..x..x.x. -
  pad x -
big room: 124-130, 4 beats, calm, electronic, weight 2
  kick xxxx
  clap .x.x -
  hat .x.x.x.x
  bass x..x..x..x..x.x. .x.x.x.x
  chords x..x..x..x..x.x. x..x..x...x.x...
  pad x
two-step garage: 128-138, 4 beats, running, electronic, weight 2
  kick x.........x..... x..x......x..... x.....x...x.....
  snare ....x.......x... ....x..o....x..o
  hat ..x.x.xx..x.x.xx x.xxx.xxx.xxx.xx
  rim ...x..x.......x. -
  bass x..x......x..x.. ...x..x...x.....
  chords ...x..x....x..x. x.....x.........
dubstep: 136-146, 4 beats, calm, electronic, weight 3
  kick x............... x.....x......... x..x......x..... x.........x...x.
  snare ........x.......
  hat x.x.x.x.x.x.x.x. x..x..x..x..x..x ..x...x...x...x. -
  bass x...x... x..x..x.x..x..x. x.....xx....x... xxxxxxxx
  chords x... -
  pad x -
future bass: 138-162, 4 beats, even, electronic, weight 2
  kick x.........x..... x.....x...x.....
  snare ........x.......
  hat xoxoxoxo xxxxxxxxxxxxxxxx -
  bass x..x..x...x.x... x.....x.........
  chords x..x..x...x.x... x..x..x..x..x... x.xx.xx.x.xx.xx.
  pad x -
trap: 128-152, 4 beats, even, electronic, weight 4
  kick x.....x...x..... x.........x..x.. x..x......x..... x.............x.
  clap ........x....... ........x......x
  hat xxxxxxxx xxxxxxxxxxxxxxxx x.xxx.xxx.x.xxxx xxxxxxxx|xxxxxxxxxxxx xxxxxxxx|xxxxxxxxxxxxxxxx
  rim ...x......x..... -
  bass x.....x...x..... x.......x......x x...............
  chords x... - xoxoxoxo
  broken x.x.x.x.x.x.x.x. x..x..x. -
boom bap: 70-98, 4 beats, busy, mixed, weight 3
  kick x.x....x..x..... x......x.xx..... x..x......x..x.. x.........xx....
  snare ....x.......x... ....x..o....x..o
  hat x.x.x.x.x.x.x.x. xoxoxoxo xxxx
  bass x..x....x.x..... x.......x.....x.
  chords x....... ..x...x. x..x..x. -
  broken x.x.x.x. -
slow trap soul: 118-140, 4 beats, calm, electronic
  kick x.......x.....x. x.........x.....
  rim ........x.......
  hat xxxxxxxx xxxxxxxxxxxxxxxx x.x.x.x.
  bass x...............
  pad x
  broken x..x..x. -
drum and bass break: 165-178, 4 beats, calm, electronic, weight 4
  kick x.........x..... x.x.......x..... x..x......x..... x.x.......xx....
  snare ....x.......x... ....x..o.o..x... ....x..o.o..x..o
  hat xxxxxxxx x.x.x.x. xxxxxxxxxxxxxxxx
  ride - xxxx
  bass x..x..x...x..... x............... x.......x.x..... xxxxxxxx
  chords x... - ..x...x.
  pad x -
half-time drum and bass: 165-178, 4 beats, calm, electronic, weight 2
  kick x............... x.....x......... x..x............
  snare ........x.......
  hat xxxxxxxx x.xxx.xx ..x...x...x...x.
  bass x............... x..x..x.........
  pad x -
happy hardcore: 160-190, 4 beats, even, electronic, weight 2
  kick xxxx
  openhat .x.x.x.x
  clap .x.x -
  bass .x.x.x.x .xxx.xxx.xxx.xxx
  chords .x.x.x.x x..x..x.x..x..x. x..x..x...x.x...
  broken xoxoxoxo xoxoxoxoxoxoxoxo -
  pad x -
gabber: 175-220, 4 beats, even, electronic, weight 2
  kick xxxx
  hat .x.x.x.x xxxxxxxx -
  clap .x.x -
  bass .x.x.x.x xxxxxxxx -
  chords x..x..x. x... -
  broken x..x..x..x..x.x. xoxoxoxo -
up-tempo trance: 150-200, 4 beats, even, electronic, weight 2
  kick xxxx
  openhat .x.x.x.x
  clap .x.x -
  bass .x.x.x.x .xxx.xxx.xxx.xxx
  broken xoxoxoxo xooxooxo xoxoxoxoxoxoxoxo
  chords - ..x..x..
  pad x -
eurobeat: 148-170, 4 beats, even, electronic, weight 2
  kick xxxx
  clap .x.x
  hat .x.x.x.x xoxoxoxoxoxoxoxo
  bass .x.x.x.x xoxoxoxo .xxx.xxx.xxx.xxx
  chords x..x..x. ..x..x.x
  broken xoxoxoxoxoxoxoxo -
  riff x..x..x.xxxx.... -
fast break: 165-215, 4 beats, running, electronic, weight 2
  kick x.x..x.. x..x.x.. x.x.......x.....
  snare .x.x ....x..o.o..x... ....x..o.o..x..o
  hat xxxxxxxx xxxx
  bass x... x..x..x. xxxxxxxx
  chords x... - ..x..x..
  broken xoxoxoxo -
fast chip music: 160-220, 4 beats, even, electronic, weight 3
  kick x.x. xxxx x..xx...
  snare .x.x
  hat xxxxxxxx .x.x.x.x xxxx
  bass xxxxxxxx x.x. x..x..x. .x.x.x.x
  broken xoxoxoxo xooxooxo xoxoxoxoxoxoxoxo
  chords - x..x..x.
fast guitar pop: 160-215, 4 beats, even, rock, weight 3
  kick x..xx... x.x. x...x... x..x.x..
  snare .x.x
  hat xxxx xxxxxxxx
  crash - x...............
  bass xxxxxxxx xxxx
  riff xxxxxxxx x..x..x. x...x...
  chords x... x..x..x. -
  broken - xoxoxoxo
d-beat: 170-220, 4 beats, even, rock, weight 2
  kick x..x.x..
  snare .x.x ..x...x.
  hat xxxx xxxxxxxx
  crash - xxxx
  bass xxxxxxxx
  riff xxxxxxxx x...x... x.......
melodic speed metal: 165-220, 4 beats, even, rock, weight 3
  kick xxxxxxxx x.xx.xx. x.x.x.x.
  snare .x.x
  ride xxxx xxxxxxxx
  bass xxxxxxxx xxxx
  riff xxxxxxxx x..x..x. x.xxx.xxx.xxx.xx
  broken - xoxoxoxo xoxoxoxoxoxoxoxo
  pad x -
chase music: 150-210, 4 beats, even, band, weight 2
  kick x.x. xxxx -
  snare .x.x xxxxxxxx
  bass x.x. xxxxxxxx
  chords .x.x.x.x x..x..x. x...
  broken xoxoxoxo -
rockabilly: 165-220, 4 beats, swing, band, weight 2
  kick x.x. -
  snare .x.x .xox
  ride - x.xx.xx.xx.x
  bass xxxx x.x.
  chords .x.x ..x..x..x..x
bebop: 190-225, 4 beats, swing, band, weight 2
  ride x..x.xx..x.x x..x..x..x..
  hat .x.x
  bass xxxx
  chords ..x........x .....x...... x..........x
fast techno: 148-175, 4 beats, even, electronic, weight 2
  kick xxxx
  hat .x.x.x.x xxxxxxxxxxxxxxxx
  clap .x.x -
  rim ...x..x....x..x. -
  bass .xxx.xxx.xxx.xxx .x.x.x.x
  broken x..x..x..x..x... -
jungle: 155-172, 4 beats, busy, electronic, weight 2
  kick x.x.......xx.... x.x.......x..... x.........x...x.|x.x.......xx....
  snare ....x..o.o..x..o ....x..o.o....x.|....x..o.o..x..o o..x..x.o..x..x.
  hat x.x.x.x.x.x.x.x.
  bass x.......x....... x..x......x.....
  pad x -
electro: 108-136, 4 beats, running, electronic, weight 2
  kick x.....x...x..... x..x..x...x..... x......x..x.....
  snare ....x.......x...
  hat xxxxxxxx xxxxxxxxxxxxxxxx x.xxx.xx
  cowbell ..x..x.x -
  bass x..x..x.x.x..x.. xxxxxxxxxxxxxxxx x.xx.xx.x.xx.x.x
  broken xoxoxoxo -
synthwave: 82-126, 4 beats, even, electronic, weight 3
  kick x.x. xxxx
  snare .x.x
  hat xxxxxxxx xoxoxoxoxoxoxoxo -
  tom - ..............xx
  bass xxxxxxxx xxxxxxxxxxxxxxxx x.xx.xxxx.xx.xxx
  broken xoxoxoxoxoxoxoxo xoxoxoxo -
  pad x
chip music: 105-190, 4 beats, running, electronic, weight 4
  kick x.x. x..xx... xxxx
  snare .x.x ..x...xx
  hat xxxxxxxx - .x.x.x.x
  bass xxxxxxxx x.xxx.xx x..x..x. .x.x.x.x
  broken xoxoxoxoxoxoxoxo xooxooxooxooxoxo
  chords - ..x..x..
electropop: 96-132, 4 beats, even, electronic, weight 3
  kick xxxx x...x... x..xx... x.....x...x.....
  clap .x.x
  hat xoxoxoxo .x.x.x.x xxxxxxxxxxxxxxxx
  bass xxxxxxxx x..x..x. .x.x.x.x
  chords x... x..x..x. ..x..x.. x..x..x..x..x...
  broken xoxoxoxo x..x..x..x..x... -
  pad x -
dembow: 86-112, 4 beats, even, electronic, weight 3
  kick xxxx
  snare ...x..x....x..x. ...x..x.
  hat xxxxxxxx x.x.x.x. -
  bass x..x..x.x..x..x. x.......x.......
  chords ..x...x...x...x. .x.x.x.x x..x..x.
  pad x -
dancehall: 88-112, 4 beats, even, mixed
  kick x..x..x.x..x..x. x.....x.x.....x.
  rim ......x.......x. ...x..x....x..x.
  hat xoxoxoxo -
  bass x..x..x. x.....x.
  chords .x.x.x.x ..x...x...x...x.
afrobeats: 96-118, 4 beats, even, mixed, weight 2
  kick x...x... xxxx x..x..x.
  rim ...x..x....x..x. x..x..x...x.x...
  shaker xoxoxoxoxoxoxoxo
  conga ..x..x.x -
  bass x..x..x. x..x...x..x.x...
  chords ..x..x.. x..x..x...x.x...
phonk: 116-162, 4 beats, even, electronic
  kick xxxx x..x..x.
  clap .x.x
  hat xxxxxxxx .x.x.x.x
  cowbell x.xx.xx.x.xx.x.x xx.xx.x.
  bass x..x..x. .x.x.x.x
downtempo: 66-98, 4 beats, calm, mixed, weight 2
  kick x......x..x..... x.....x...x.....
  snare ....x.......x...
  hat x.x.x.x.x.x.x.x. xxxx ..x...x...x...x. -
  bass x.......x..x.... x..x..x.
  broken x..x..x. xooxooxo -
  pad x
electronic arpeggios: 90-150, 4 beats, running, electronic, weight 2
  broken xoxoxoxoxoxoxoxo xooxooxooxooxoxo xoxoxoxo
  bass x... - x..x..x.
  pad x
industrial: 90-140, 4 beats, even, electronic
  kick xxxx x..x..x...x.x...
  snare .x.x
  tom x..x..x.x..x..x. -
  hat xxxxxxxxxxxxxxxx -
  riff xxxxxxxx x.xxx.xxx.xxx.xx
  bass xxxxxxxxxxxxxxxx
orchestral game music: 96-180, 4 beats, running, band, weight 3
  tom x..x..x. x.x.x.x.x.xxx.x. x... -
  snare - x.xxx.xxx.x.xxxx ..x...x.
  crash - x...............|................|................|................
  bass x..x..x. xxxx xxxxxxxx
  broken xxxxxxxx xooxooxo xoxoxoxoxoxoxoxo
  chords x... x..x..x. -
  pad x -
hard rock: 84-142, 4 beats, even, rock, weight 4
  kick x...x... x..xx... x...x..x x.xx..x.
  snare .x.x
  hat xxxxxxxx xxxx -
  ride - xxxx
  bass xxxxxxxx x..x..x. x...x...
  riff x...x..x x..x..x. xxxxxxxx x.xx.xx. x...............
  chords - x...
metal gallop: 132-205, 4 beats, even, rock, weight 3
  kick x.xxx.xxx.xxx.xx x...x... x.x.x.x.
  snare .x.x
  ride xxxx xxxxxxxx
  bass x.xxx.xxx.xxx.xx xxxxxxxx
  riff x.xxx.xxx.xxx.xx x.xxx.xxx...x...
thrash: 160-215, 4 beats, even, rock, weight 3
  kick x.x.x.x. xxxx
  snare .x.x.x.x .x.x
  hat xxxx xxxxxxxx -
  bass xxxxxxxx
  riff xxxxxxxxxxxxxxxx xxxxxxxx x.xxx.xxx.xxx.xx x..x..x.
blast beats: 150-210, 4 beats, even, rock, weight 2
  kick xxxxxxxx xxxxxxxxxxxxxxxx x.x.x.x.
  snare .x.x.x.x xxxx xxxxxxxx
  ride xxxx xxxxxxxx
  bass xxxxxxxx
  riff xxxxxxxxxxxxxxxx xxxxxxxx x...x...
double kick: 110-185, 4 beats, even, rock, weight 3
  kick xxxxxxxxxxxxxxxx xxxxxxxx
  snare .x.x ..x.
  ride xxxx x...x...
  bass xxxxxxxx x...
  riff xxxxxxxx x... x..x..x. xxxxxxxxxxxxxxxx
breakdown: 120-185, 4 beats, calm, rock, weight 2
  kick x..x..x...x.x... x.....x.x..x.... x..x....x..x..x.
  snare ........x.......
  crash xxxx x.x.
  bass x..x..x...x.x...
  riff x..x..x...x.x... x.....x.x..x.... x..x....x..x..x.
skate punk: 165-215, 4 beats, even, rock, weight 3
  kick x.x. x..xx... x...x...
  snare .x.x
  hat xxxx xxxxxxxx
  bass xxxxxxxx
  riff xxxxxxxx x...x... x..x..x.
dance rock: 108-138, 4 beats, even, rock, weight 2
  kick xxxx x..xx...
  snare .x.x
  openhat .x.x.x.x
  bass x.xx.xx.x.xx.xx. xxxxxxxx .x.x.x.x
  riff ..x..x.. x..x..x. -
  chords .x.x.x.x -
half-time rock: 110-170, 4 beats, calm, rock, weight 3
  kick x.....x......... x............... x..x......x.....
  snare ..x. ........x......x
  hat xxxx xxxxxxxx
  bass xxxxxxxx x..x..x. xxxx
  riff x... x..x..x. xxxxxxxx
  broken xoxoxoxo -
double-time rock: 76-108, 4 beats, even, rock, weight 2
  kick x.x.x.x.
  snare .x.x.x.x
  hat xxxxxxxx -
  bass xxxxxxxx x...x...
  riff x...x... x.......
  chords x... -
metronome: 40-216, 4 beats, even, mixed
  rim xxxx xooo -
  cowbell - x... xxxx
  clap - xxxx
  kick - xxxx
back-beat alone: 72-140, 4 beats, even, mixed, weight 2
  snare .x.x
  hat - .x.x
  bass x... xxxxxxxx x..x..x. -
  chords x... xoxoxoxo x..x..x.
clapping and singing: 76-132, 4 beats, even, mixed, tune, weight 2
  clap .x.x xxxx
  bass -
metal waltz: 100-190, 3 beats, even, rock, weight 2
  kick x..... x.xxxx xxxxxx
  snare ..x... ....x. .xx
  ride xxx
  bass xxxxxx
  riff x.xxxx xxxxxx x....x
metal in six-eight: 60-110, 2 beats, thirds, rock, weight 2
  kick x..... xxxxxx x....x
  snare ...x.. .x
  ride xxxxxx xx
  bass xxxxxx x..x..
  riff xxxxxx x..x.x x.....
third wave ska: 140-195, 4 beats, even, rock
  kick x.x. x..xx...
  snare .x.x
  hat xxxxxxxx
  bass xxxx xxxxxxxx
  chords .x.x.x.x
rocksteady: 70-100, 4 beats, even, band, weight 2
  kick ..x.
  rim ..x.
  hat xxxxxxxx .x.x.x.x
  bass x..x..x. ..x..xx. x..x....x..x..x. .xx.x.x.
  chords .x.x.x.x .xx..xx..xx..xx.
dub: 62-90, 4 beats, even, mixed, weight 2
  kick ..x. xxxx
  rim - ..x.
  hat .x.x.x.x xxxxxxxx -
  bass x..x..x. ..xxx.x. x...x.xx
  chords .x.x.x.x ....x....... ..x...x...x...x.
baião: 88-116, 2 beats, running, band
  kick x..x..x.
  rim ...x..x.
  shaker xxxxxxxx
  bass x..x..x. x..x
  chords .x.x .xx.xxx.
cumbia: 84-112, 2 beats, running, band, weight 2
  kick xx x..x
  shaker x.xxx.xx
  conga ...x..xx
  bass x.xx x..x
  chords .x.x
soca: 108-162, 4 beats, running, mixed
  kick xxxx
  snare ...x..x....x..x.
  hat .x.x.x.x
  bass x..x..x. x...x.xx
  chords .x.x.x.x x..x..x.
three and three and two: 84-136, 4 beats, even, mixed, weight 3
  kick x..x..x. x..x..x...x.x...
  snare - ........x....... ....x.......x...
  hat xxxxxxxx -
  bass x..x..x.
  chords x..x..x. x..x..x...x.x...
  broken xooxooxo
african bell: 84-132, 4 beats, thirds, band, weight 2
  cowbell x.x.xx.x.x.x
  conga ..xx....xx.. x..x..x..x..
  kick x..x..x..x.. - x.....x.....
  shaker xxxxxxxxxxxx -
  bass x..x..x..x.. x.x..x.x..x.
  chords x.x.x..x.x.. ..x..x..x..x -
half-time shuffle: 78-112, 4 beats, thirds, band, weight 2
  kick x.......x... x....x......
  snare ..o..ox.o..o ......x.....
  hat x.xx.xx.xx.x
  bass x....x..x... x..x..x..x..
  chords x... ..x..x..x..x -
triplet pop: 62-110, 4 beats, thirds, mixed, weight 2
  kick x.....x..... x....xx.....
  snare ...x.....x..
  hat xooxooxooxoo
  bass x.....x..... x..x..x..x..
  chords xxxxxxxxxxxx x..x..x..x..
  pad x -
swung electronic: 88-128, 4 beats, swing, electronic, weight 2
  kick xxxx x....xx.....
  clap .x.x
  hat x.xx.xx.xx.x ..x..x..x..x
  bass x.xx.xx.xx.x x..x..x..x.x
  chords ..x..x..x..x x...
  pad x -
big shuffle: 110-185, 4 beats, swing, rock, weight 2
  kick x..x..x..x.. x.....x.....
  snare ...x.....x..
  hat x.xx.xx.xx.x
  bass x.xx.xx.xx.x x..x..x..x..
  riff x.xx.xx.xx.x x.......x...
fast swing band: 160-215, 4 beats, swing, band, weight 2
  ride x..x.xx..x.x
  hat .x.x
  kick - oooo
  bass xxxx
  chords .....x...... x....x...... ..x.....x...
gypsy swing: 160-215, 4 beats, swing, band
  bass x.x. xxxx
  chords oxox xxxx
math rock in five: 110-200, 5 beats, even, rock, weight 2
  kick x..x. x..x....x. x....x....
  snare .x..x ..x.x
  hat xxxxxxxxxx xxxxx
  bass x..x..x.x. xxxxxxxxxx x..x.
  riff x..x..x.x. xxxxxxxxxx x..x.
five of three and two: 100-180, 5 beats, even, mixed, weight 2
  kick x..x.
  snare ..x.x -
  hat xxxxxxxxxx xxxxx
  bass x..x. x..xx
  chords x..x. x..x..x.x. x....
  broken xoxoxoxoxo -
progressive in seven: 120-215, 7 beats, even, rock, weight 3
  kick x.x.x.. x..x.x. x...x.x
  snare .x.x..x ..x...x ...x..x
  hat xxxxxxx x.x.x.x
  bass x.x.x.. xxxxxxx x..x.x.
  riff x.x.x.. x..x.x. xxxxxxxxxxxxxx xxxxxxx
electronic in seven: 120-210, 7 beats, even, electronic, weight 2
  kick x.x.x.. xxxx... x..x.x.
  clap ..x...x .x.x.x.
  hat xxxxxxx xxxxxxxxxxxxxx
  bass x.x.x.. x..x.x. xxxxxxx
  broken xoxoxoxoxoxoxo -
  pad x -
balkan seven: 150-215, 7 beats, even, band, weight 2
  tom x.x.x.. x..x.x.
  rim .x.x.xx .xx.x.x -
  bass x.x.x.. x..x.x.
  chords .x.x.xx .xx.x.x
six-four: 96-160, 6 beats, even, mixed, weight 2
  kick x..x.. x.x.x.
  snare .x.x.x ..x..x
  hat xxxxxx xxxxxxxxxxxx
  bass x..x.. x.....
  chords x..... x.x.x.
  pad x -
slow six-eight counted in six: 96-130, 6 beats, even, mixed, weight 3
  kick x..... x....x
  snare ...x..
  hat xxxxxx xxxxxxxxxxxx -
  bass x..... x..x..
  chords x..... xxxxxx
  broken xoxoxo xooxoo -
pop waltz: 84-168, 3 beats, even, mixed, weight 2
  kick x.. x....x
  snare ..x .xx .x.
  hat xxx xxxxxx -
  bass x.. x....x
  chords x.. .xx xxx
  broken xoxoxo -
  pad x -
mazurka: 120-180, 3 beats, even, band
  bass x..
  chords .xx .x. .xo
slow waltz of strings: 60-110, 3 beats, calm, alone, tune
  pad x
  bass x..
country two-step: 84-120, 2 beats, running, band
  kick x. x.x.
  snare .x .x.x
  bass xx x.
  chords .x.x .x
oompah: 90-132, 2 beats, running, band, weight 2
  kick x. -
  snare .x.x -
  bass xx x.
  chords .x.x
chorale: 58-108, 4 beats, calm, alone, weight 2
  chords xxxx x.xx xxx.
  bass xxxx
chorale in three: 66-120, 3 beats, calm, alone
  chords xxx x.x
  bass xxx x..
arpeggios alone: 60-132, 4 beats, even, alone, piano, weight 3
  broken xoxoxoxo xoooxoooxoooxooo xooxooxooxoo
arpeggios in three: 72-150, 3 beats, even, alone, piano, weight 2
  broken xoxoxo xoooxoooxooo xooxooxoo
strings alone: 60-120, 4 beats, calm, alone, tune, weight 2
  pad x x.x. xxxx
ostinato: 84-160, 4 beats, running, alone, weight 2
  broken xooxooxo xoxoxoxo xooxooxoxooxooxo xxxxxxxx
  bass x... x..x..x. -
guitar alone: 66-132, 4 beats, even, alone, weight 2
  bass x.x. x..x..x. xxxx
  broken xoxoxoxo xxoxxoxo xooxooxo
strumming alone: 76-150, 4 beats, even, alone, weight 2
  chords x.xx.xxx x.x.xx.x x..x..xx xoxoxoxo
song with guitar: 70-140, 4 beats, even, alone, tune, weight 2
  chords x.xx.xxx x.x.xoxo x...
  bass x... -
fiddle reel: 96-126, 4 beats, running, alone, tune, weight 2
  chords - x.x.
fiddle jig: 96-132, 2 beats, thirds, alone, tune, weight 2
  chords - xx
tune alone: 66-140, 4 beats, even, alone, tune, weight 2
  bass -
tune alone in three: 84-168, 3 beats, even, alone, tune
  bass -
air in six-eight: 44-84, 2 beats, thirds, alone, tune
  pad x -
`
/** Compound metres, half time, accents off the beat and free tempo, whose level is hard to hear. */
const LEVELS = `
pastorale: 40-66, 4 beats, thirds, alone, tune, weight 2
  bass x..... x..x..x..x.. x...........
  chords x..x..x..x.. xooxooxooxoo ..x..x..x..x x.....x.....
  pad x -
lullaby in six: 40-72, 2 beats, thirds, alone, tune, weight 2
  bass x..... x..x..
  broken xooxoo xoxoxo x.xx.x
  chords - x..... .xx.xx
doo-wop: 54-84, 4 beats, thirds, band, tune, weight 3
  kick x.....x..... x.....x.xx.. x..x..x..x..
  snare ...x.....x..
  ride xxxxxxxxxxxx x..x..x..x.. -
  bass x..x..x..x.. x....xx....x x.....x..x.x
  chords xxxxxxxxxxxx xooxooxooxoo ..x..x..x..x
  broken - xooxooxooxoo
gospel in twelve: 44-76, 4 beats, thirds, band, weight 3
  kick x.....x..... x....xx..... x.......x...
  snare ...x.....x.. ......x.....
  hat xxxxxxxxxxxx xooxooxooxoo -
  bass x..x..x..x.. x....xx..xx. x..xxxx..xxx
  chords x..x.xx..x.x xxxxxxxxxxxx x...........
  broken - xxoxxoxxoxxo
six-eight power ballad: 44-72, 4 beats, thirds, rock, weight 3
  kick x.....x..... x....xx..... x.....x.x...
  snare ...x.....x.. ......x.....
  hat xxxxxxxxxxxx xooxooxooxoo
  crash - x...........|............|............|............
  bass xxxxxxxxxxxx x..x..x..x.. x...........
  riff x..... xxxxxxxxxxxx x..x..x..x..
  broken xxxxxxxxxxxx xooxooxooxoo -
slow jam in six: 42-70, 4 beats, thirds, electronic, weight 2
  kick x.......x... x....xx.....
  clap ...x.....x..
  hat xxxxxxxxxxxx xxxxxxxxxxxxxxxxxxxxxxxx x.xx.xx.xx.x
  bass x........... x.......x...
  pad x
  broken xooxooxooxoo -
triplet techno: 118-148, 4 beats, thirds, electronic, weight 2
  kick xxxx
  hat ..x..x..x..x .xx.xx.xx.xx xxxxxxxxxxxx
  clap .x.x -
  bass .xx.xx.xx.xx xxxxxxxxxxxx ..x..x..x..x
  broken xooxooxooxoo -
  pad x -
glam stomp: 116-148, 4 beats, thirds, rock, weight 2
  kick x..x..x..x.. x....xx....x
  snare ...x.....x..
  tom - x.xx.xx.xx.x
  bass x.xx.xx.xx.x x..x..x..x..
  riff x.xx.xx.xx.x x....x...... x..x..x..x..
battle in twelve: 96-150, 4 beats, thirds, mixed, weight 2
  tom x.xx.xx.xx.x xxxxxxxxxxxx x..x..x..x..
  snare - ...x.....x.. xxxxxxxxxxxx
  bass x..x..x..x.. xxxxxxxxxxxx
  chords x.....x..... x..x..xxx... x...........
  broken xxxxxxxxxxxx xooxooxooxoo -
  pad x -
metal in twelve: 70-130, 4 beats, thirds, rock, weight 2
  kick xxxxxxxxxxxx x..x..x..x.. x.xx.xx.xx.x
  snare ...x.....x.. ......x.....
  ride x..x..x..x.. xxxxxxxxxxxx
  bass xxxxxxxxxxxx x.xx.xx.xx.x
  riff xxxxxxxxxxxx x.xx.xx.xx.x x...........
single jig: 108-140, 2 beats, thirds, alone, tune, weight 2
  chords x.xx.x xx ..x..x -
jig with drum: 100-132, 4 beats, thirds, band, tune, weight 3
  conga xxxxxxxxxxxx x.xx.xx.xx.x xooxooxooxoo
  bass x..x..x..x.. x.....x.....
  chords ..x..x..x..x x..x..x..x.. x.xx.xx.xx.x
slip jig with drum: 96-130, 3 beats, thirds, band, tune, weight 3
  conga xooxooxoo x.xx.xx.x xxxxxxxxx
  bass x..x..x.. x........
  chords ..x..x..x x..x..x.. x.xx.xx.x
shanty: 66-112, 4 beats, thirds, band, tune, weight 2
  tom - x.....x.....
  clap - ...x.....x..
  bass x..x..x..x.. x.....x.....
  chords ..x..x..x..x ...x.....x.. x..x..x..x..
saltarello: 120-168, 2 beats, thirds, band, tune, weight 2
  tom xx x.xx.x x..x.x
  shaker xxxxxx - xooxoo
  bass x. xx
  chords x. ..x..x x.xx.x
dance in nine: 72-116, 3 beats, thirds, band, weight 3
  kick x........ x..x..x.. x.....x..
  snare ...x..x.. ......x.. .....x..x
  hat xooxooxoo xxxxxxxxx x..x..x..
  bass x..x..x.. x.....x.. x..x.xx..
  chords xooxooxoo ..x..x..x x........
  broken - xxoxxoxxo
song in nine: 44-80, 3 beats, thirds, alone, tune, weight 3
  bass x........ x..x..x..
  broken xooxooxoo xoxoxoxox x.xx.xx.x
  chords - x........ x..x..x..
  pad x -
rock in nine: 60-120, 3 beats, thirds, rock, weight 2
  kick x........ x..x..x.. x.......x
  snare ...x..x.. .xx ......x..
  ride xxxxxxxxx xxx
  bass xxxxxxxxx x..x..x..
  riff xxxxxxxxx x..x..x.. x.xx.xx.x
canzone: 52-84, 2 beats, thirds, band, tune, weight 2
  bass x..x.. x.....
  chords .xx.xx ..x..x x..x..
  broken - xooxoo
country in six: 48-76, 2 beats, thirds, band, tune, weight 3
  kick x..... x....x
  snare ...x.. -
  hat xxxxxx xooxoo -
  bass x..x.. x....x x.....
  chords .xx.xx xooxoo ..x..x
  broken xoxoxo xooxoo -
indie in six: 50-92, 2 beats, thirds, mixed, weight 3
  kick x..... x....x x.x...
  snare ...x..
  hat xxxxxx xooxoo xxxxxxxxxxxx
  bass x..x.. xxxxxx x.....
  chords x..... xxxxxx .x..x.
  broken xooxoo xxxxxx -
  pad x -
march in six with pipes: 76-112, 2 beats, thirds, band, tune
  snare x.xx.x xxxxxx x..xxx
  kick x. xx
  bass x. xx
  pad x
makossa in six: 92-144, 4 beats, thirds, band, weight 2
  kick x..x..x..x.. x.....x.....
  cowbell x.x.xx.x.x.x x.xx.xx.xx.x
  conga ..xx....xx.. .xx.xx.xx.xx
  shaker xooxooxooxoo
  bass x..x..x..x.. x.x..xx.x..x
  chords ..x..x..x..x x.x.x..x.x..
hybrid trap: 138-172, 4 beats, even, electronic, weight 3
  kick x.....x...x..... x...............|x.........x..... x.....x.......x.
  snare ........x.......
  clap - ........x.......
  hat xxxxxxxx xxxxxxxxxxxxxxxx x.x.x.x.x.xxx.x. ..x...x...x...x.
  bass x............... x.....x...x..... x..x..x...x.....
  riff - x..x..x...x.x...
  broken x.x.x.x. - xoxoxoxo
  pad x -
drill: 136-148, 4 beats, calm, electronic, weight 3
  kick x............x.. x..x..........x. x.....x......x..
  snare ......x.......x. ......x.....x...
  hat x..x..x.x..x..x. x.xx.xx.
  bass x.....x......x.. x..x..........x.
  broken x.x.x.x. xoxoxoxo -
  pad x -
half-time sludge: 120-168, 4 beats, calm, rock, weight 2
  kick x.....x......x.. x............x.. x..x......x.....
  snare ........x.......
  ride xxxx x.x.
  bass x...x... xxxxxxxx
  riff x.....x......x.. xxxxxxxx x...x.x.
half-time drum machine: 140-178, 4 beats, calm, mixed, weight 2
  kick x............... x.........x..... x.....x.........
  snare ........x....... ........x.....x.
  hat xxxx xxxxxxxx x.xxx.xx
  bass x... x..x..x. x.......
  chords x... ..x. -
  broken xoxoxoxo -
  pad x -
skank pop: 84-160, 4 beats, even, mixed, weight 3
  kick x.x. xxxx ..x. x..xx...
  snare .x.x ..x.
  hat xxxxxxxx .x.x.x.x
  bass x..x..x. xxxx x..xx.x.
  chords .x.x.x.x .xx..xx..xx..xx.
polka rock: 112-150, 4 beats, even, rock, weight 2
  kick xxxx
  snare .x.x.x.x
  bass xxxx x.x.x.x.
  riff .x.x.x.x xxxxxxxx
  chords .x.x.x.x
polka dance: 104-138, 4 beats, running, band, tune, weight 2
  kick xxxx -
  snare .x.x.x.x .x.x.xxx -
  bass xxxx
  chords .x.x.x.x
off-beat bass: 126-156, 4 beats, even, electronic, weight 3
  kick xxxx - x.x.
  openhat .x.x.x.x -
  clap .x.x -
  bass .x.x.x.x .xxx.xxx.xxx.xxx .x.x.x.x
  chords .x.x.x.x ..x...x...x...x. x..x..x.x..x..x.
  broken - xoxoxoxo
  pad x -
klezmer: 100-176, 4 beats, running, band, tune, weight 2
  kick x.x. x..x..x.
  snare .x.x .xx..xx. ...x..x.
  bass x.x. x..x..x.
  chords .x.x .x.x.x.x .xx..xx.
rubato ballad: 50-96, 4 beats, busy, alone, piano, weight 3
  bass x... x.x.
  broken xoxoxoxo x.xoxoxo xooxooxo xoooxoooxoooxooo
  chords x... - x.x. x..x
rubato waltz: 66-150, 3 beats, even, alone, piano, weight 2
  bass x..
  chords .xx xxx
  broken - xoxoxo
nocturne in twelve: 40-64, 4 beats, thirds, alone, piano, tune, weight 2
  bass x........... x.....x.....
  broken xooxooxooxoo xxxxxxxxxxxx
  chords - x...........
nocturne in four: 46-80, 4 beats, running, alone, piano, tune, weight 2
  bass x... x.x.
  broken xoxoxoxo xoooxoooxoooxooo xooxooxooxoo
chorale with rests: 54-92, 4 beats, calm, alone, weight 2
  bass xxxx x.xx
  chords xxxx x.xx
`

export const MATERIAL_STYLES = stylesOf(BOOK)
export const LEVEL_STYLES = stylesOf(LEVELS)
