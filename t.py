import time,tempfile
from pathlib import Path
from chipwise.corpus import domain_folder
from chipwise.domain.files import read_domain
from chipwise.building.splitting import split
from chipwise.claims.extract import extract
from chipwise.reading import read_file
d=read_domain(domain_folder())
def run(name,t):
    p=Path(tempfile.mkdtemp())/"doc.md"; p.write_text(t)
    s=time.time(); doc=read_file(p); r=time.time()-s; s=time.time(); n=len(extract(split(doc),d,doc.info.title)[1]); print(name,len(t),round(r,2),round(time.time()-s,2),n,flush=True)
run("warm","The H100 has 80 GB.")
for k in (50,100,200,400):
    run("uses",("the h100 uses 5 GB and "*k)+" 80 GB of memory.")
for k in (20,40,80):
    run("cat","The H100 does not support FP8, and the A100 supports FP8 only, "*k)
for k in (50,200):
    run("nest","".join("  "*i+"- a\n" for i in range(k))+"  "*k+"| a | b |\n"+"  "*k+"|---|---|\n"+"  "*k+"| H100 | 80 GB |\n")
for k in (50,100,200): run("custom","custom A B C H100 has 80 GB, "*k)
for k in (50,100,200): run("list","- H100 (8 GPUs): $24 an hour "*k)
for k in (30,60,120): run("spec","| GPU | vCPU | Memory |\n|---|---|---|\n"+"| H100 | 8 | 80 GB |\n"*k)
run("rx",("without "*500)+"CUDA on the H100")
run("bold","**"*300+"\n\n| a | FP8 TFLOPS |\n|---|---|\n| H100 | 989 |\n")
