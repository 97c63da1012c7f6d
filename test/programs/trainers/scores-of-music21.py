"""Scores of music21's corpus as JSON lines, for `rhythm-material.ts --scores`.

    python3 scores-of-music21.py --out FILE [--songs N] [--chorales N]

It needs music21 10.5 and its corpus. Dances of O'Neill, Ryan and Aird, Essen's folk songs and two
collections of pipe and fife tunes are read from their ABC text by a reader of their dialect, as
music21's own takes a second a tune; chorales and classical movements are read by music21.

A line is a piece in one metre, the longest run of bars of one time signature:
`id`, `title`, `kind`, `metre`, `unit` (a beat in quarter notes), `beatsPerBar`, `bars`, `pickup`
(beats before the first bar), `key` (tonic 0 for C, mode 1 for major) where it is known, `sharps`, `tempo` (slowest and
fastest beats a minute), `parts` and `notes`, each `[onset, duration, pitch, part]` in beats from the
first downbeat, MIDI pitches.

A beat is a dotted quarter in 6/8, 9/8 and 12/8, an eighth in 3/8, a half note in 2/2, 3/2 and 4/2, else a
quarter. A bar that is too short is one together with the next where their lengths add up; where not, it
ends in the pickup of the piece, as in a repeat; other tunes are left out.

Left out are the Nottingham collection, Schubert, the Well-Tempered Clavier, Beethoven's sonatas, and
tunes with the titles in `JUDGES`, because other recordings of these judge the model.
"""
import argparse
import json
import os
import random
import re
import warnings
from fractions import Fraction as F

JUDGES = re.compile(
    r'abacus|as luck will|mug of brown ale|old man dillon|banks and braes|banks o.? ?(bonn?ie )?doon'
    r'|blodau|dundee|jockey.?s deliverance|^dreaming|aunt hess|oak ?hill|blue ?hill|north tyne'
    r'|barren rocks|ding dong|christian men|dulci jubilo|hungarian dance',
    re.I,
)
UNITS = {'6/8': F(3, 2), '9/8': F(3, 2), '12/8': F(3, 2), '3/8': F(1, 2), '2/2': F(2), '3/2': F(2), '4/2': F(2)}
METRES = {'2/4': 2, '3/4': 3, '4/4': 4, '5/4': 5, **{m: int(F(int(m.split('/')[0]) * 4, int(m.split('/')[1])) / u) for m, u in UNITS.items()}}
# Beats a minute as players take them; 4/4 in quarters, so that half notes of a reel are half of it.
TEMPI = {
    'jig': (95, 130), 'slip jig': (85, 130), 'slide': (110, 145), 'reel': (170, 240), 'reel in two': (85, 130),
    'hornpipe': (130, 190), 'hornpipe in two': (70, 100), 'strathspey': (110, 170), 'strathspey in two': (60, 88), 'clog': (120, 180),
    'clog in two': (65, 95), 'march': (90, 126), 'polka': (105, 140), 'waltz': (85, 200), 'minuet': (95, 150),
    'air': (50, 84), 'air in three': (60, 120), 'song': (70, 132), 'song in three': (80, 170),
    'compound song': (45, 100), 'chorale': (55, 95), 'ragtime': (76, 110),
}
LEAST_BARS = 8
STEPS = {'C': 0, 'D': 2, 'E': 4, 'F': 5, 'G': 7, 'A': 9, 'B': 11}
FIFTHS = {'F': -1, 'C': 0, 'G': 1, 'D': 2, 'A': 3, 'E': 4, 'B': 5}
MODES = {'maj': 0, 'ion': 0, '': 0, 'mix': -1, 'dor': -2, 'min': -3, 'm': -3, 'aeo': -3, 'phr': -4, 'lyd': 1}


def key_of(text):
    """Sharps of a key, and its tonic and mode, of an ABC field."""
    text = text.strip()
    if text[:2] in ('HP', 'Hp'):
        return 2, {'tonic': 9, 'mode': 1}
    found = re.match(r'([A-G])([#b]?)\s*([A-Za-z]*)', text)
    if not found:
        return 0, None
    step, sign, mode = found.groups()
    mode = mode.lower()
    mode = mode[:3] if mode != 'm' else 'm'
    if mode not in MODES:
        mode = ''
    sharps = FIFTHS[step] + (7 if sign == '#' else -7 if sign == 'b' else 0) + MODES[mode]
    tonic = (STEPS[step] + (sign == '#') - (sign == 'b')) % 12
    return sharps, {'tonic': tonic, 'mode': 0 if mode in ('m', 'min', 'aeo', 'dor', 'phr') else 1}


def altered(sharps):
    signs = {}
    for i in range(abs(sharps)):
        signs['FCGDAEB'[i] if sharps > 0 else 'BEADGCF'[i]] = 1 if sharps > 0 else -1
    return signs


def metre_of(text):
    text = text.split('%')[0].strip()
    return {'C': '4/4', 'C|': '2/2'}.get(text, text)


TOKEN = re.compile(
    r'(?P<text>"[^"]*"|![^!\s]*!|\+[a-z]+\+|\{[^}]*\})'
    r'|\[(?P<field>[A-Za-z]):(?P<value>[^\]]*)\]'
    r'|(?P<bar>:*\|+[\]:]*\s*[12](?=[^0-9/])|\[[12](?=[^0-9/])|:*[\|\]]+[:\[]*(?![A-Ga-g^_=])|:*\|+:*|::+)'
    r'|\((?P<tuplet>[2-9])(?::(?P<q>\d*))?(?::(?P<r>\d*))?'
    r'|\[(?P<chord>[^\]|:]+)\](?P<clen>\d*/*\d*)'
    r"|(?P<acc>\^\^?|__?|=)?(?P<note>[A-Ga-gzx])(?P<oct>[,']*)(?P<len>\d*/*\d*)"
    r'|(?P<broken>>+|<+)|(?P<tie>-)'
)
NOTE = re.compile(r"(\^\^?|__?|=)?([A-Ga-g])([,']*)(\d*/*\d*)")
TUPLETS = {2: 3, 3: 2, 4: 3, 5: 2, 6: 2, 7: 2, 8: 3, 9: 2}


def length(text):
    if not text:
        return F(1)
    number, slashes, below = re.match(r'(\d*)(/*)(\d*)', text).groups()
    value = F(int(number or 1))
    return value / int(below) if below else value / 2 ** len(slashes)


class Irregular(Exception):
    """What makes a tune of no use."""


def bars_of(body, unit, metre, sharps):
    """Bars of a body of ABC: their metre, length and notes `[onset, duration, pitch]` in quarters."""
    bars, bar, at, signs = [], [], F(0), dict(altered(sharps))
    local, tuplet, last, tied, ahead = {}, None, [], {}, None
    def close():
        nonlocal bar, at, local
        if at > 0:
            bars.append((metre, at, bar))
        bar, at, local = [], F(0), {}
    def pitch_of(acc, name, octave):
        step = name.upper()
        if acc:
            local[step + octave + name] = {'^': 1, '^^': 2, '_': -1, '__': -2, '=': 0}[acc]
        sign = local.get(step + octave + name, signs.get(step, 0))
        return 60 + STEPS[step] + (12 if name.islower() else 0) + 12 * (octave.count("'") - octave.count(',')) + sign
    place = 0
    while place < len(body):
        token = TOKEN.match(body, place)
        if not token:
            place += 1
            continue
        place = token.end()
        part = token.groupdict()
        if part['text']:
            continue
        if part['field']:
            if part['field'] == 'M':
                metre = metre_of(part['value'])
            elif part['field'] == 'K':
                sharps, _ = key_of(part['value'])
                signs = dict(altered(sharps))
            elif part['field'] == 'L':
                unit = 4 * F(part['value'].strip())
            elif part['field'] == 'V':
                raise Irregular('voices')
        elif part['bar']:
            close()
        elif part['tuplet']:
            p = int(part['tuplet'])
            tuplet = [F(int(part['q'] or TUPLETS[p]), p), int(part['r'] or p)]
        elif part['tie']:
            for one in last:
                tied[one[2]] = one
        elif part['broken']:
            share = F(1, 2 ** len(part['broken']))
            long, short = 2 - share, share
            first, second = (long, short) if part['broken'][0] == '>' else (short, long)
            if not last:
                continue
            before = last[0][1]
            for one in last:
                one[1] = before * first
            at += before * (first - 1)
            ahead = second
        else:
            if part['chord']:
                found = NOTE.findall(part['chord'])
                if not found:
                    continue
                pitches = [pitch_of(a, n, o) for a, n, o, _ in found]
                size = length(part['clen']) * length(found[0][3])
            else:
                pitches = [] if part['note'] in 'zx' else [pitch_of(part['acc'], part['note'], part['oct'])]
                size = length(part['len'])
            size *= unit * (ahead or 1)
            ahead = None
            if tuplet:
                size *= tuplet[0]
                tuplet[1] -= 1
                if tuplet[1] <= 0:
                    tuplet = None
            last = []
            for pitch in pitches:
                if pitch in tied:
                    tied[pitch][1] += size
                    last.append([at, size, pitch])
                else:
                    one = [at, size, pitch]
                    bar.append(one)
                    last.append(one)
            if not pitches:
                last = [[at, size, -1]]
            tied = {}
            at += size
    close()
    return bars


def assembled(bars, bar_length):
    """Whole bars of bars of any length: a pickup in quarters, and notes from the first downbeat."""
    pickup = F(0)
    if bars and bars[0][1] < bar_length:
        pickup = bars[0][1]
    upbeat = [[on - pickup, size, *more] for on, size, *more in bars[0][2]] if pickup else []
    notes, count, pending = list(upbeat), 0, F(0)
    rest = bars[1:] if pickup else bars
    for i, (_, size, inside) in enumerate(rest):
        if pending and pending + size != bar_length:
            # The repeat from here begins with the pickup.
            if pickup and pending + pickup == bar_length:
                notes += [[(count + 1) * bar_length + on, *more] for on, *more in upbeat]
            else:
                raise Irregular('bars that do not add up')
            count, pending = count + 1, F(0)
        base = count * bar_length + pending
        notes += [[base + on, *more] for on, *more in inside]
        pending += size
        # Some lines of songs end where a bar does, without its sign.
        if pending > bar_length and (pending % bar_length or pending > 4 * bar_length):
            raise Irregular('bars that do not add up')
        if pending % bar_length == 0:
            count, pending = count + int(pending / bar_length), F(0)
    if pending:
        count += 1
    return pickup, notes, count


def longest_run(bars):
    """The longest run of bars of one metre."""
    runs, start = [], 0
    for i in range(1, len(bars) + 1):
        if i == len(bars) or bars[i][0] != bars[start][0]:
            runs.append(bars[start:i])
            start = i
    return max(runs, key=len) if runs else []


def piece(name, title, kind, bars, more):
    """A line of the file; `Irregular` where the bars are no steady metre."""
    bars = longest_run(bars)
    if not bars:
        raise Irregular('nothing')
    metre = bars[0][0]
    if metre not in METRES:
        raise Irregular(f'the metre {metre}')
    unit = UNITS.get(metre, F(1))
    pickup, notes, count = assembled(bars, unit * METRES[metre])
    if count < LEAST_BARS or len(notes) < 2 * count:
        raise Irregular('too short')
    if re.search(r'\d', kind):
        raise Irregular(kind)
    rounded = lambda value: round(float(value / unit), 4)
    notes = sorted([rounded(on), rounded(size), int(pitch), *(part or [0])] for on, size, pitch, *part in notes if size > 0)
    tempo = more.pop('tempo', None) or TEMPI[kind_in(kind, metre)]
    return {
        'id': name, 'title': title, 'kind': kind, 'metre': metre, 'unit': float(unit), 'beatsPerBar': METRES[metre],
        'bars': count, 'pickup': rounded(pickup), **more, 'tempo': tempo, 'parts': 1 + max(one[3] for one in notes),
        'notes': notes,
    }


def kind_in(kind, metre):
    """The entry of `TEMPI` for a kind in a metre."""
    three = metre in ('3/4', '3/8', '3/2')
    two = metre in ('2/4', '2/2')
    if kind == 'jig' and metre == '9/8':
        return 'slip jig'
    if kind in ('reel', 'hornpipe', 'clog') and two or kind == 'strathspey' and metre == '2/2':
        return f'{kind} in two'
    if kind == 'song' and metre in ('6/8', '9/8', '12/8'):
        return 'compound song'
    if kind in ('air', 'song') and three:
        return f'{kind} in three'
    return kind


def kind_of(header, folder, number):
    """What an ABC tune is: by its rhythm, its title, its place in the book, its metre."""
    metre = metre_of(header.get('M', ''))
    if folder == 'essenFolksong':
        return 'song'
    words = ' '.join(header.get(field, '') for field in 'RGT').lower()
    for word, kind in (
        ('slip', 'slip jig'), ('slide', 'slide'), ('strathspey', 'strathspey'), ('highland', 'strathspey'),
        ('fling', 'strathspey'), ('hornpipe', 'hornpipe'), ('clog', 'clog'), ('walkaround', 'clog'), ('jig', 'jig'),
        ('reel', 'reel'), ('march', 'march'), ('quick step', 'march'), ('quickstep', 'march'), ('polka', 'polka'), ('waltz', 'waltz'),
        ('minuet', 'minuet'), ('gavot', 'march'), ('air', 'air'),
    ):
        if re.search(rf'\b{word}', words):
            return fitting(kind, metre)
    if folder == 'oneills1850':
        kind = ('air' if number <= 700 else 'jig' if number <= 1175 else 'reel' if number <= 1555
                else 'hornpipe' if number <= 1780 else 'march')
        return fitting(kind, metre)
    return fitting({'2/4': 'polka', '4/4': 'march', '2/2': 'reel', '3/4': 'minuet', '3/8': 'minuet'}.get(metre, 'jig'), metre)


def fitting(kind, metre):
    """The kind, or what is danced in the metre where the kind is not."""
    compound = metre in ('6/8', '9/8', '12/8')
    if metre == '9/8' and kind == 'jig':
        return 'slip jig'
    if compound and kind in ('reel', 'hornpipe', 'polka', 'strathspey', 'clog', 'minuet', 'waltz'):
        return 'jig'
    if compound and kind == 'air':
        return 'song'
    if metre in ('3/4', '3/8', '3/2') and kind not in ('air', 'minuet', 'waltz'):
        return 'waltz'
    if not compound and kind in ('jig', 'slip jig', 'slide'):
        return 'polka' if metre == '2/4' else 'march'
    return kind


def tunes(folder, files):
    for file in files:
        with open(file, encoding='utf8', errors='replace') as opened:
            text = opened.read()
        for tune in re.split(r'(?m)^(?=X:)', text):
            if not tune.startswith('X:') or not re.search(r'(?m)^K:', tune):
                continue
            yield f'{folder}/{os.path.basename(file)[:-4]}', tune


def tune_piece(folder, file, text):
    header, body, unit_set = {}, [], None
    lines = [re.sub(r'(?<!\\)%.*', '', line) for line in text.split('\n')]
    started = False
    for line in lines:
        field = re.match(r'\s*([A-Za-z]):\s*(.*)', line)
        if field and not started:
            header.setdefault(field[1], field[2].strip())
            if field[1] == 'T':
                header['T'] += ' / ' + field[2] if header['T'] != field[2].strip() else ''
            started = field[1] == 'K'
        elif field and started:
            if field[1] in 'MKLV':
                body.append(f'[{field[1]}:{field[2].strip()}]')
        elif started:
            body.append(re.sub(r'\\\s*$', ' ', line).replace('\x00', ''))
    title = header.get('T', '')
    if JUDGES.search(title):
        raise Irregular('a title of those that judge')
    metre = metre_of(header.get('M', ''))
    if metre not in METRES:
        raise Irregular(f'the metre {metre}')
    unit = 4 * F(header['L']) if 'L' in header else F(1, 2)
    sharps, key = key_of(header['K'])
    number = int(re.sub(r'\D', '', header.get('X', '0')) or 0)
    kind = kind_of(header, folder, number)
    bars = bars_of(' '.join(body), unit, metre, sharps)
    return piece(f'{file} {header["X"]}', title, kind, bars, {'sharps': sharps, **({'key': key} if key else {})})


def score_piece(name, title, kind, score, tempo=None):
    """A score of music21."""
    from music21 import harmony
    parts = list(score.parts)
    rows = [list(part.getElementsByClass('Measure')) for part in parts]
    if len({len(row) for row in rows}) > 1:
        raise Irregular('parts with other bars')
    size_of = lambda measure: F(measure.duration.quarterLength).limit_denominator(48)
    metre, bars = None, []
    for column in zip(*rows):
        if column[0].timeSignature is not None:
            metre = column[0].timeSignature.ratioString
        sizes = [size_of(measure) for measure in column]
        bars.append((metre, max(sizes, key=sizes.count), []))
    for p, row in enumerate(rows):
        tied = {}
        for i, measure in enumerate(row):
            # A few bars of a few parts are read too long or too short: the other parts play on.
            if size_of(measure) != bars[i][1]:
                tied = {}
                continue
            for note in measure.recurse().notes:
                if isinstance(note, harmony.Harmony):
                    continue
                size = F(note.quarterLength).limit_denominator(48)
                if size == 0:
                    continue
                on = F(note.getOffsetInHierarchy(measure)).limit_denominator(48)
                for one in note.notes if note.isChord else [note]:
                    if not hasattr(one, 'pitch'):
                        continue
                    pitch, tie = one.pitch.midi, (one.tie or note.tie)
                    if tie is not None and tie.type in ('stop', 'continue') and pitch in tied:
                        tied[pitch][1] += size
                        continue
                    sound = [on, size, pitch, p]
                    bars[i][2].append(sound)
                    if tie is not None and tie.type in ('start', 'continue'):
                        tied[pitch] = sound
    signatures = list(parts[0].recurse().getElementsByClass('KeySignature'))
    sharps = signatures[0].sharps if signatures else 0
    made = piece(name, title, kind, bars, {'sharps': sharps, 'tempo': tempo or (60, 120)})
    if tempo is None and kind not in TEMPI:
        onsets = len({on for on, *_ in made['notes']}) / (made['bars'] * made['beatsPerBar'])
        # Movements of two to seven onsets a second, of beats that are neither slower nor faster than these.
        slow, fast = 60 * 2.2 / onsets, 60 * 7 / onsets
        made['tempo'] = [round(min(130, max(40, slow))), round(min(170, max(60, fast)))]
    return made


CLASSICAL = {
    'haydn': 'quartet', 'mozart': 'quartet', 'beethoven': 'quartet', 'corelli': 'sonata', 'handel': 'sonata',
    'cpebach': 'piano', 'chopin': 'piano', 'schumann_clara': 'piano', 'schumann_robert': 'quartet', 'joplin': 'ragtime',
    'weber': 'orchestra', 'verdi': 'aria', 'beach': 'aria', 'johnson_j_r': 'aria', 'liliuokalani': 'aria', 'leadSheet': 'aria',
}


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--out', required=True)
    options.add_argument('--songs', type=int, default=800)
    options.add_argument('--chorales', type=int, default=160)
    options.add_argument('--only-tunes', action='store_true')
    chosen = options.parse_args()
    warnings.filterwarnings('ignore')
    import music21
    from music21 import converter
    root = os.path.join(os.path.dirname(music21.__file__), 'corpus')
    files = lambda folder, end: sorted(
        os.path.join(at, name) for at, _, names in os.walk(os.path.join(root, folder)) for name in names if name.endswith(end))
    chance = random.Random(23)
    told, seen = {}, set()
    with open(chosen.out, 'w') as out:
        def keep(make, *arguments):
            try:
                made = make(*arguments)
                same = json.dumps([one[:3] for one in made['notes'][:24]])
                if same in seen:
                    raise Irregular('the same again')
                seen.add(same)
                out.write(json.dumps(made, ensure_ascii=False, separators=(',', ':')) + '\n')
                told[made['kind']] = told.get(made['kind'], 0) + 1
                return True
            except Irregular as why:
                told[f'- {why}'] = told.get(f'- {why}', 0) + 1
            except Exception as wrong:  # A file that music21 cannot read is left out like any other.
                told[f'! {repr(wrong)[:60]}'] = told.get(f'! {repr(wrong)[:60]}', 0) + 1
            return False
        for folder in ('ryansMammoth', 'oneills1850', 'airdsAirs', 'miscFolk'):
            for file, text in tunes(folder, files(folder, '.abc')):
                keep(tune_piece, folder, file, text)
        songs = [one for file in files('essenFolksong', '.abc') if not re.search(r'test|variant|dva', file)
                 for one in tunes('essenFolksong', [file])]
        chance.shuffle(songs)
        taken = 0
        for file, text in songs:
            taken += taken < chosen.songs and keep(tune_piece, 'essenFolksong', file, text)
        print(told, flush=True)
        if chosen.only_tunes:
            return
        # Of the chorales none that is the tune of a carol that judges.
        chorales = [file for file in files('bach', '.mxl') if not re.search(r'bwv(368|8[4-9]\d)', file)]
        chance.shuffle(chorales)
        taken = 0
        for file in chorales:
            if taken >= chosen.chorales:
                break
            name = f'bach/{os.path.basename(file)[:-4]}'
            taken += keep(lambda: score_piece(name, name, 'chorale', converter.parse(file), TEMPI['chorale']))
        print(told, flush=True)
        for folder, kind in CLASSICAL.items():
            for file in files(folder, ('.mxl', '.xml', '.krn', '.musicxml')):
                if folder == 'beethoven' and file.endswith('.krn'):
                    continue
                name = os.path.relpath(file, root)
                voiced = 'aria' if re.search('dichterliebe|opus48', file) else 'piano' if 'k545' in file else kind
                tempo = TEMPI['ragtime'] if voiced == 'ragtime' else None
                keep(lambda: score_piece(name, name, voiced, converter.parse(file), tempo))
                out.flush()
    print(told)


if __name__ == '__main__':
    main()
