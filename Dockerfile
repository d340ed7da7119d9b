# docker build -t victor .
# docker run --rm -v "$PWD:/work" victor clean page.html
#
# EXTRAS says which tasks the image is for, e.g. --build-arg EXTRAS=crawl,train
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY . /source
ARG EXTRAS=crawl
RUN python -m venv /victor && /victor/bin/pip install --no-cache-dir "/source[$EXTRAS]"

FROM python:3.13-slim
COPY --from=build /victor /victor
ENV PATH=/victor/bin:$PATH
RUN useradd --create-home victor
USER victor
WORKDIR /work
ENTRYPOINT ["victor"]
CMD ["--help"]
