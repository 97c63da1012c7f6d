"""Clips in which something is known to be heard, for `npm run evaluate -- --only sounds --sounds OUT`.

    python3 heard-material.py OUT --midi DIR --soundfont FILE.sf2 --speech DIR... [--recorded DIR] \
        [--count 30] [--seed 1] [--half 0|1]

Needs numpy, scipy, fluidsynth, and for --recorded ffmpeg. DIR of --midi has songs with the tracks
MELODY, BRIDGE and PIANO (POP909), of --speech wave files of one speaker, of --recorded recordings
without a voice. Clips are 20 s of 16 kHz: `sung`: speech that follows a melody (linear prediction,
excited at the pitch of the notes) over an accompaniment; `instrumental`: the same with an instrument
in its place; `speech`; `applause`: 8 s of hand claps in a song, as loud as it; `solo`; `recorded`.
"""
import argparse, glob, json, os, random, struct, subprocess, tempfile
import numpy as np
import scipy.signal as signal
from scipy.io import wavfile
from scipy.linalg import solve_toeplitz

RATE, SECONDS, ORDER, HOP, FRAME = 16000, 20, 20, 80, 480
LEADS = [0, 4, 11, 19, 22, 24, 26, 27, 29, 40, 41, 42, 56, 57, 61, 64, 65, 66, 68, 71, 73, 74, 75, 80, 81, 21]
BACKS = [0, 1, 2, 4, 5, 6, 16, 17, 18, 24, 25, 27, 48, 50, 88, 89]
SOLOS = [('keyboards', [0, 1, 3]), ('guitars', [24, 25, 26, 27, 30]), ('strings', [40, 41, 42, 48]),
         ('woodwinds', [71, 73, 64, 65, 68]), ('brass', [56, 57, 60, 61]), ('keyboards', [16, 19]),
         ('percussion', [11, 12, 13, 9])]


def number(data, i):
    value = 0
    while True:
        byte = data[i]
        i, value = i + 1, value << 7 | byte & 127
        if byte < 128:
            return value, i


def song(path):
    """The notes of each track by its name: start, end, pitch, velocity."""
    data = open(path, 'rb').read()
    division, i, tracks, tempos = struct.unpack('>H', data[12:14])[0], 14, {}, [(0, 500000)]
    while i < len(data):
        end = i + 8 + struct.unpack('>I', data[i + 4:i + 8])[0]
        i, time, status, notes, sounding, name = i + 8, 0, 0, [], {}, ''
        while i < end:
            delta, i = number(data, i)
            time += delta
            if data[i] & 128:
                status, i = data[i], i + 1
            if status in (0xFF, 0xF0, 0xF7):
                kind, i = (data[i], i + 1) if status == 0xFF else (None, i)
                length, i = number(data, i)
                if kind == 0x51:
                    tempos.append((time, int.from_bytes(data[i:i + 3], 'big')))
                if kind == 3:
                    name = data[i:i + length].decode('latin1')
                i += length
            elif status >> 4 in (12, 13):
                i += 1
            else:
                pitch, velocity, i = data[i], data[i + 1], i + 2
                if status >> 4 == 9 and velocity > 0:
                    sounding[pitch] = time, velocity
                elif status >> 4 in (8, 9) and pitch in sounding:
                    start, strength = sounding.pop(pitch)
                    notes.append((start, time, pitch, strength))
        tracks[name] = sorted(notes)
    tempos.sort()

    def second(tick):
        total, last, tempo = 0, 0, 500000
        for at, each in tempos:
            if at >= tick:
                break
            total, last, tempo = total + (at - last) / division * tempo / 1e6, at, each
        return total + (tick - last) / division * tempo / 1e6
    return {name: [(second(a), second(b), p, v) for a, b, p, v in notes] for name, notes in tracks.items()}


def variable(value):
    out = [value & 127]
    while value := value >> 7:
        out.insert(0, value & 127 | 128)
    return bytes(out)


def rendered(parts, soundfont):
    """Parts are channel, program and notes."""
    events = []
    for channel, program, notes in parts:
        if channel != 9:
            events.append((0, 0, bytes([0xC0 | channel, program])))
        for start, end, pitch, velocity in notes:
            events.append((int(start * 960), 2, bytes([0x90 | channel, pitch, velocity])))
            events.append((int(end * 960), 1, bytes([0x80 | channel, pitch, 0])))
    data, last = b'', 0
    for time, _, message in sorted(events, key=lambda event: event[:2]):
        data, last = data + variable(time - last) + message, time
    data += b'\0\xff\x2f\0'
    with tempfile.TemporaryDirectory() as folder:
        midi, wave = os.path.join(folder, 'a.mid'), os.path.join(folder, 'a.wav')
        with open(midi, 'wb') as file:
            file.write(b'MThd' + struct.pack('>IHHH', 6, 0, 1, 480) + b'MTrk' + struct.pack('>I', len(data)) + data)
        subprocess.run(['fluidsynth', '-ni', '-q', '-g', '0.5', '-F', wave, '-r', '32000', soundfont, midi],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        samples = wavfile.read(wave)[1].astype(float).mean(1) / 32768
    return fitted(signal.resample_poly(samples, 1, 2))


def fitted(samples):
    return np.pad(samples[:SECONDS * RATE], (0, max(0, SECONDS * RATE - len(samples))))


def levelled(samples, rms=0.1):
    loud = samples[np.abs(samples) > 0.01 * np.abs(samples).max()]
    return samples * rms / np.sqrt((loud ** 2).mean() + 1e-12) if len(loud) else samples


def speaker(folder, random_):
    files = [file for file in sorted(glob.glob(folder + '/**/*.wav', recursive=True)) if os.path.getsize(file) > 40000]
    random_.shuffle(files)
    pieces = []
    for file in files[:40]:
        rate, samples = wavfile.read(file)
        samples = samples.astype(float) / 32768
        samples = samples.mean(1) if samples.ndim > 1 else samples
        pieces += [signal.resample(samples, int(len(samples) * RATE / rate)) if rate != RATE else samples, np.zeros(2400)]
    return np.concatenate(pieces)


def sung(speech, notes, noise, shift, stretch):
    """Speech on the pitches of notes, and how loud it is, 0 to 1."""
    speech = signal.lfilter([1, -0.95], 1, levelled(speech[:16 * RATE]))
    window, filters, gains, voiced = np.hanning(FRAME), [], [], []
    for at in range(0, len(speech) - FRAME, HOP):
        frame = speech[at:at + FRAME] * window
        lags = np.array([frame[:FRAME - k] @ frame[k:] for k in range(ORDER + 1)])
        if lags[0] < 1e-5:
            filters.append(np.zeros(ORDER)), gains.append(0), voiced.append(False)
            continue
        lags[0] = lags[0] * 1.0001 + 1e-9
        coefficients = solve_toeplitz(lags[:ORDER], lags[1:])
        filters.append(coefficients)
        gains.append(np.sqrt(max(1e-12, lags[0] - coefficients @ lags[1:])))
        periods = np.fft.irfft(np.abs(np.fft.rfft(frame, 1024)) ** 2)
        voiced.append(periods[40:230].max() / periods[0] > 0.45)
    pitch, level = np.zeros(SECONDS * RATE), np.zeros(SECONDS * RATE)
    for start, end, key, _ in notes:
        i, j = int(start * RATE), min(len(pitch), int(end * RATE))
        if j <= i:
            continue
        time = np.arange(j - i) / RATE
        vibrato = 1 + 0.012 * np.sin(2 * np.pi * 5.5 * time) * np.clip(time * 4 - 0.6, 0, 1)
        pitch[i:j] = 440 * 2 ** ((key + shift - 69) / 12) * vibrato
        level[i:j] = np.minimum(1, np.minimum(time / 0.03, time[::-1] / 0.05))
    jitter = 1 + 0.016 * signal.lfilter([0.05], [1, -0.95], noise.normal(size=len(pitch)))
    pulses = np.diff(np.floor(np.cumsum(pitch * jitter / RATE)), prepend=0).clip(0, 1)
    pulses *= 0.8 * np.sqrt(RATE / np.maximum(60, pitch))
    hiss, out, state, place = noise.normal(size=len(pitch)), np.zeros(len(pitch)), np.zeros(ORDER), 0.0
    for at in range(0, len(pitch) - HOP, HOP):
        if level[at:at + HOP].max() <= 0:
            continue
        while gains[int(place) % len(gains)] == 0:
            place += 1
        i = int(place) % len(gains)
        place += 1 / stretch if voiced[i] else 1
        source = pulses[at:at + HOP] + 0.06 * hiss[at:at + HOP] if voiced[i] else 0.35 * hiss[at:at + HOP]
        made, state = signal.lfilter([gains[i]], np.r_[1, -filters[i]], source, zi=state)
        if not np.isfinite(made).all() or np.abs(made).max() > 50:
            state, made = np.zeros(ORDER), np.zeros(HOP)
        out[at:at + HOP] = made * level[at:at + HOP]
    out = signal.lfilter([1], [1, -0.9], out)
    room = out.copy()
    for delay, gain in ((0.031, 0.3), (0.043, 0.25), (0.067, 0.2), (0.097, 0.15)):
        room[int(delay * RATE):] += gain * out[:-int(delay * RATE)]
    return levelled(room), level


def applause(seconds, people, random_, noise):
    out = np.zeros(int(seconds * RATE))
    for _ in range(people):
        each, centre, gain = 3 + 1.8 * random_.random(), 700 + 1500 * random_.random(), random_.random() ** 2 + 0.05
        b, a = signal.butter(1, [centre * 0.6 / 8000, min(0.99, centre * 1.5 / 8000)], 'band')
        time, length = random_.random() / each, int(0.02 * RATE)
        while time < seconds - 0.05:
            clap = noise.normal(size=length) * np.exp(-np.arange(length) / RATE / 0.004)
            out[int(time * RATE):int(time * RATE) + length] += gain * signal.lfilter(b, a, clap)
            time += (1 + 0.1 * noise.normal()) / each
    tail = np.arange(int(0.35 * RATE)) / RATE
    room = 0.03 * np.exp(-tail / 0.09) * noise.normal(size=len(tail))
    room[0] = 1
    return levelled(signal.fftconvolve(out, room)[:len(out)])


def clip(kind, index, given, speakers, random_, noise):
    """The samples of a clip, and what is known of it."""
    tracks = song(random_.choice(given.songs))
    melody = [note for note in tracks.get('MELODY', []) if note[1] - note[0] > 0.05]
    begin = max(0, (melody[0][0] if melody else 0) - 8 * random_.random())
    cut = lambda name: [(a - begin, min(b - begin, SECONDS), p, v) for a, b, p, v in tracks.get(name, [])
                        if begin <= a < begin + SECONDS and b - a > 0.05]
    melody, piano, bridge = cut('MELODY'), cut('PIANO'), cut('BRIDGE')
    if kind == 'speech':
        voice = np.tile(levelled(random_.choice(speakers)), 1 + SECONDS)
        at = random_.randrange(len(voice) - SECONDS * RATE)
        return voice[at:at + SECONDS * RATE], []
    if kind == 'solo':
        family, programs = SOLOS[index % len(SOLOS)]
        notes = melody if family in ('woodwinds', 'brass', 'strings', 'percussion') else piano
        return levelled(rendered([(0, random_.choice(programs), notes)], given.soundfont)), [family]
    if kind == 'applause':
        samples, _ = clip(random_.choice(['sung', 'instrumental']), index, given, speakers, random_, noise)
        at, hands = random_.randrange(2 * RATE, 11 * RATE), applause(8, random_.choice([40, 80, 150]), random_, noise)
        samples[at:at + len(hands)] += hands
        return levelled(samples), [at / RATE]
    beat = 60 / random_.choice([90, 100, 120])
    drums = [(b * beat, b * beat + 0.1, 36 if b % 2 == 0 else 38, 100) for b in range(int(SECONDS / beat))]
    parts = [(0, random_.choice(BACKS), piano), (1, random_.choice(BACKS), bridge)]
    parts += [(9, 0, drums)] if random_.random() < 0.5 else []
    if kind == 'instrumental':
        return levelled(rendered(parts + [(3, random_.choice(LEADS), melody)], given.soundfont)), []
    back = levelled(rendered(parts, given.soundfont)) if random_.random() < 0.85 else np.zeros(SECONDS * RATE)
    voice, level = sung(random_.choice(speakers), melody, noise, random_.choice([-12, 0, 0]), 1.5 + 1.5 * random_.random())
    loudness = [int(100 * level[i * RATE // 4:(i + 1) * RATE // 4].mean()) for i in range(4 * SECONDS)]
    return levelled(back + voice * 10 ** (random_.uniform(-3, 6) / 20)), loudness


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('out')
    parser.add_argument('--midi', required=True)
    parser.add_argument('--soundfont', required=True)
    parser.add_argument('--speech', nargs='+', required=True)
    parser.add_argument('--recorded')
    parser.add_argument('--count', type=int, default=30)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--half', type=int, choices=[0, 1])
    given = parser.parse_args()
    random_, noise = random.Random(given.seed), np.random.default_rng(given.seed)
    given.songs = sorted(file for file in glob.glob(given.midi + '/*.mid') if '_midi' not in file)
    if given.half is not None:
        given.songs = given.songs[given.half::2]
    speakers = [speaker(folder, random_) for folder in given.speech]
    os.makedirs(given.out, exist_ok=True)
    clips = []

    def keep(name, kind, samples, about):
        peak = max(1, np.abs(samples).max() / 0.95)
        wavfile.write(f'{given.out}/{name}.wav', RATE, (samples / peak * 32767).astype('<i2'))
        clips.append((name, kind, about))
    shares = {'sung': 1, 'instrumental': 1, 'speech': 0.4, 'applause': 0.4, 'solo': 0.7}
    for kind, share in shares.items():
        for index in range(round(given.count * share)):
            keep(f'{kind}-{index:03d}', kind, *clip(kind, index, given, speakers, random_, noise))
    files = sorted(glob.glob((given.recorded or '/nowhere') + '/**/*.*', recursive=True))
    for index, file in enumerate(random_.sample(files, min(len(files), round(given.count * 0.8)))):
        raw = subprocess.run(['ffmpeg', '-v', 'error', '-ss', '40', '-t', str(SECONDS), '-i', file, '-ac', '1',
                              '-ar', str(RATE), '-f', 's16le', '-'], capture_output=True).stdout
        if len(raw) > 10 * RATE:
            keep(f'recorded-{index:03d}', 'recorded', np.frombuffer(raw, '<i2') / 32768, [])
    json.dump(clips, open(f'{given.out}/clips.json', 'w'))
    print(f'{len(clips)} clips in {given.out}')


if __name__ == '__main__':
    main()
